/* What stands beside a scenario stays as it is, with its switches: where one case goes on in the next, a comment says so, and no
 * compiler warns.
 * In the residual: fall through
 */
#include <whittle/specialize.h>

int weight(int kind, int depth)
{
    int sum = 0;

    switch (kind & 7) {
    case 0:
        sum += 1;
        /* fall through */
    case 1:
        if (depth < 2) {
            sum += 2;
        case 5:
            sum += 3;
        }
        /* fall through */
    case 2: {
        sum += 4;
        break;
    }
    case 3:
        return depth;
    default:
        sum += 8;
    }
    return sum;
}

WHITTLE_SPECIALIZE int heaviest(int depth)
{
    return weight(0, depth) + weight(4, depth);
}
