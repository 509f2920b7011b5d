// Ranges of addresses and file offsets: arithmetic that never wraps, whatever a file says.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_RANGE_H
#define LDLAYOUT_RANGE_H

#include <stdbool.h>
#include <stdint.h>

// The smallest page that any Linux target maps, and the largest that is looked at (beyond every huge page).
#define SMALLEST_PAGE UINT64_C(4096)
#define LARGEST_PAGE (UINT64_C(1) << 40)

// Returns start + size, or UINT64_MAX where that would wrap.
static inline uint64_t range_end(uint64_t start, uint64_t size)
{
    return size > UINT64_MAX - start ? UINT64_MAX : start + size;
}

// Returns whether value is 1, 2, 4 …
static inline bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

// Takes a power of two; returns its multiple at or below value.
static inline uint64_t round_down(uint64_t value, uint64_t alignment)
{
    return value & ~(alignment - 1);
}

// Takes a power of two; returns its multiple at or above value, or UINT64_MAX where there is none.
static inline uint64_t round_up(uint64_t value, uint64_t alignment)
{
    uint64_t down = round_down(value, alignment);
    return down == value ? value : range_end(down, alignment);
}

// Returns how many bytes [start, end) and [other_start, other_end) have in common.
static inline uint64_t range_common(uint64_t start, uint64_t end, uint64_t other_start, uint64_t other_end)
{
    uint64_t from = start > other_start ? start : other_start;
    uint64_t to = end < other_end ? end : other_end;
    return to > from ? to - from : 0;
}

// Returns a + b, or UINT64_MAX where that would wrap: for sums of sizes.
static inline uint64_t sum(uint64_t a, uint64_t b)
{
    return range_end(a, b);
}

// Returns a * b, or UINT64_MAX where that would wrap.
static inline uint64_t product(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

#endif
