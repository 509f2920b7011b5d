/* Control: exits with 42 when this user may not map address 0, as the tests of outputs linked there need.
   SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/mman.h>

int main(void)
{
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    return page == MAP_FAILED ? 42 : 43;
}
