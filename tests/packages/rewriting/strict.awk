# awk -f strict.awk: makes rpcgen's routines ready for strict compilers. Outside of functions only words change. In functions a
# counter or a buffer that nothing uses is not declared, and an array's pointer is cast in a variable of its own.
{
    gsub(/\t/, "        ")
    gsub(/u_quad_t/, "uint64_t")
    gsub(/quad_t/, "int64_t")
    gsub(/IXDR_GET_LONG/, "IXDR_GET_INT32")
}
/^\{/ { inside = 1; lines = 0; print; next }
/^\}/ && inside { finish(); inside = 0 }
inside { body[lines++] = $0; next }
{ print }

function uses(word,    at, found) {
    for (at = 0; at < lines; at++)
        found += body[at] ~ ("(^|[^A-Za-z0-9_.>])" word "($|[^A-Za-z0-9_])")
    return found
}

function finish(    at, word, found, what, number) {
    split("buf i", words, " ")
    for (word in words)
        dropped[word] = uses(words[word]) == 1
    for (at = 0; at < lines; at++) {
        if (match(body[at], /\(char \*\*\)&objp->[A-Za-z0-9_.]+_val/)) {
            what = substr(body[at], RSTART + 10, RLENGTH - 10)
            number++
            printf "        char **items%d = (char **)(void *)&%s;\n", number, what
            body[at] = substr(body[at], 1, RSTART - 1) "items" number substr(body[at], RSTART + RLENGTH)
        }
    }
    for (at = 0; at < lines; at++) {
        found = 0
        for (word in words)
            found += dropped[word] && body[at] ~ ("(^|[^A-Za-z0-9_.>])" words[word] "($|[^A-Za-z0-9_])")
        gsub(/IXDR_PUT_U_LONG/, "(void)IXDR_PUT_U_INT32", body[at])
        gsub(/IXDR_PUT_LONG/, "(void)IXDR_PUT_INT32", body[at])
        gsub(/= *XDR_INLINE/, "= (int32_t *)XDR_INLINE", body[at])
        if (!found)
            print body[at]
    }
}
