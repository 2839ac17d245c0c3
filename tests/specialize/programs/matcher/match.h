int match(const char *pattern, const char *text);
int match_number(const char *text);
