/* A race of Ben Hvrt in which nobody holds a card: the part of the game that asks for most decisions, by hand in C.
   run() plays the same races as quadriga.engine.kernels.drivers.measure from the same start. */
#include "twin.h"

enum { MOST = 12, PLACES = 3, STALLED = 10, SIDES = 4 };
static const int REST[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0, 2, 1, 1, 2, 2, 1};

typedef struct {
  int64_t chariots, laps, lap_length, sides_per_square, pot, purse;
  const int16_t *front;
  const int8_t *lane, *ahead, *last, *sides, *beside, *grid, *grid_rank;
} track;

static const track *t;
static int square[MOST], lap[MOST], speed[MOST], best[MOST];

static inline int distance(int c) { return lap[c] * t->lap_length + t->front[square[c]]; }
static inline int foremost(int set) {
  int found = -1, most = -1;
  for (; set; set &= set - 1) {
    int c = lowest(set), order = distance(c) * 8 + 7 - t->lane[square[c]];
    if (order > most) most = order, found = c;
  }
  return found;
}
static inline int occupied(int racing, int where) {
  for (; racing; racing &= racing - 1)
    if (square[lowest(racing)] == where) return 1;
  return 0;
}

/* Adds decisions, dice and, from index 7 on, the purse of each seat to out. */
void run(const track *given, int64_t seed, int64_t first, int64_t games, int64_t *out) {
  t = given;
  for (int64_t game = first; game < first + games; game++) {
    start(seed, game);
    int entered = (1 << t->chariots) - 1, racing = entered, moved = 0, advanced = 0, stalled = 0, finishers = 0;
    int finisher[MOST];
    for (int c = 0; c < t->chariots; c++) {
      square[c] = t->grid[c];
      lap[c] = 0;
      speed[c] = t->grid_rank[c] < 6 ? t->grid_rank[c] : 6;
      best[c] = distance(c);
    }
    for (;;) {
      int waiting = racing & ~moved;
      if (!waiting) {
        moved = 0;
        stalled = advanced ? 0 : stalled + 1;
        advanced = 0;
        waiting = racing;
      }
      if (!waiting || stalled == STALLED) break;
      int c = foremost(waiting), roll = below(6) + 1, steps = speed[c] + roll, done = 0;
      out[1]++;
      while (steps > 0 && !done) {
        int here = square[c], ways[2 + SIDES], n = 0;
        if (!occupied(racing, t->ahead[here])) ways[++n] = t->ahead[here];
        for (int i = 0; i < t->sides[here]; i++) {
          int beside = t->beside[here * t->sides_per_square + i];
          if (!occupied(racing, beside)) ways[++n] = beside;
        }
        int choice = below(n + 1), to = ways[choice];
        out[0]++;
        if (!choice) break;
        steps--;
        if (t->last[here] && to == t->ahead[here]) {
          if (lap[c] == t->laps) {
            racing &= ~(1 << c);
            finisher[finishers++] = c;
            advanced = done = 1;
            break;
          }
          lap[c]++;
        }
        square[c] = to;
        if (distance(c) > best[c]) best[c] = distance(c), advanced = 1;
      }
      if (finishers == (t->chariots < PLACES ? t->chariots : PLACES)) break;
      if (!done) speed[c] = roll;
      moved |= 1 << c;
    }
    for (int left = racing; left && finishers < PLACES;) {
      int c = foremost(left);
      left &= ~(1 << c);
      finisher[finishers++] = c;
    }
    int pot = t->pot;
    for (int c = 0; c < t->chariots; c++) out[7 + c] += t->purse;
    for (int place = 0; place < PLACES && place < finishers; place++) {
      int prize = (3 - place) * (t->pot / 6) + REST[3 * (t->pot % 6) + place];
      pot -= prize;
      out[7 + finisher[place]] += prize;
    }
    out[7 + finisher[0]] += pot;
  }
}
