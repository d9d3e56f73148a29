/* The random generator of quadriga.engine.kernels.rng, so that a C program plays the same games. */
#include <stdint.h>

static uint32_t rng_a, rng_b, rng_c, rng_d;

static inline uint32_t mix(uint32_t word) {
  word = (word ^ (word >> 16)) * 0x85EBCA6Bu;
  word = (word ^ (word >> 13)) * 0xC2B2AE35u;
  return word ^ (word >> 16);
}

static inline uint32_t absorb(uint64_t seed, uint64_t stream, uint32_t lane) {
  uint32_t word = mix((uint32_t)seed + lane * 0x9E3779B9u);
  word = mix(word ^ (uint32_t)(seed >> 32));
  word = mix((word + lane) ^ (uint32_t)stream);
  return mix(word ^ (uint32_t)(stream >> 32));
}

static inline void start(uint64_t seed, uint64_t stream) {
  rng_a = absorb(seed, stream, 1);
  rng_b = absorb(seed, stream, 2);
  rng_c = absorb(seed, stream, 3);
  rng_d = absorb(seed, stream, 4) | 1;
}

static inline uint32_t draw(void) {
  uint32_t sum = rng_a + rng_d, result = ((sum << 7) | (sum >> 25)) + rng_a, shifted = rng_b << 9;
  rng_c ^= rng_a;
  rng_d ^= rng_b;
  rng_b ^= rng_c;
  rng_a ^= rng_d;
  rng_c ^= shifted;
  rng_d = (rng_d << 11) | (rng_d >> 21);
  return result;
}

static inline uint32_t below(uint32_t bound) {
  uint64_t product = (uint64_t)draw() * bound;
  if ((uint32_t)product < bound) {
    uint32_t excess = -bound % bound;
    while ((uint32_t)product < excess) product = (uint64_t)draw() * bound;
  }
  return product >> 32;
}

static inline int lowest(uint64_t mask) { return __builtin_ctzll(mask); }
static inline int count(uint64_t mask) { return __builtin_popcountll(mask); }

static inline uint64_t nth(uint64_t mask, int n) {
  while (n--) mask &= mask - 1;
  return mask;
}
