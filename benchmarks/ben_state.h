/* The tables and the state of a series of Ben Hvrt with one chariot for each player, and what all its phases do.
   The codes of windows, of types of cards, of what they take and of their operations (OP_) come with the tables. */
#include <string.h>

#include "twin.h"

enum { SEATS = 12, KINDS = 48, OPERATIONS = 3, SQUARES = 128, SIDES = 8, CARDS = 240, FASTEST = 6, PER_MOVE = 1 };

typedef struct {
  int64_t seats, races, offers, kinds, lap_length, purse;
  const int8_t *laps, *type, *copies, *price, *upkeep, *upkeep_halves, *window, *per, *takes, *op, *one, *two;
  const int64_t *in_window, *of_type, *doing, *passes;
  const int16_t *front;
  const int8_t *lane, *ahead, *behind, *last, *sides, *beside, *grid, *grid_rank;
} tables;

typedef struct {
  int ahead, behind, last, front, order, sides, beside[SIDES];
  uint64_t passes[2]; /* squares whose chariots a step to this one passes */
} space;

typedef struct {
  uint64_t hand, fitted; /* kinds */
  uint8_t copies[KINDS];
  int purse, face_down, driver; /* a kind, or -1 */
  int square, lap, speed, best, next_roll, driver_used, lever_used, shaken;
  int stake[SEATS];
} player;

static const tables *t;
static space board[SQUARES];
static player who[SEATS];
static uint64_t in_window[8], doing[32], drivers, improvements;
static uint64_t taken[2]; /* squares with a chariot */
static uint8_t full[CARDS], deck[CARDS], discard[KINDS]; /* the deck in the order of kinds */
static int seats, cards, unsold, pot, laps, dealer, priority;
static int entered, racing, begun, advanced, finishers, finisher[SEATS];
static int mover, roll, halted, calmed, driver_acted, two_dice; /* of the move under way */
static int64_t decisions, outcomes, plays, vetoes, made, swaps;

static void read_tables(const tables *given) {
  t = given;
  seats = t->seats;
  for (int i = 0; i < 8; i++) in_window[i] = t->in_window[i];
  for (int i = 0; i < 32; i++) doing[i] = t->doing[i];
  drivers = t->of_type[DRIVER];
  improvements = t->of_type[IMPROVEMENT];
  for (int i = 0; i < SQUARES; i++) {
    space *b = board + i;
    *b = (space){.ahead = t->ahead[i], .behind = t->behind[i], .last = t->last[i], .sides = t->sides[i]};
    b->front = t->front[i];
    b->order = 8 * b->front + 7 - t->lane[i];
    for (int j = 0; j < b->sides; j++) b->beside[j] = t->beside[SIDES * i + j];
    for (int j = 0; j < 2; j++) b->passes[j] = t->passes[4 * i + 2 * j] | (uint64_t)t->passes[4 * i + 2 * j + 1] << 32;
  }
  for (int kind = cards = 0; kind < t->kinds; kind++)
    for (int i = 0; i < t->copies[kind]; i++) full[cards++] = kind;
}

static inline int next(int seat) { return seat + 1 == seats ? 0 : seat + 1; }
static inline int decide(int n) {
  decisions++;
  return below(n);
}
static inline int die(void) {
  outcomes++;
  return below(6) + 1;
}

/* Cards. */
static inline int turn_up(void) {
  outcomes++;
  int at = below(cards), kind = deck[at];
  memmove(deck + at, deck + at + 1, --cards - at);
  return kind;
}
static inline void gain(player *p, int kind) {
  p->copies[kind]++;
  p->hand |= 1ull << kind;
}
static inline void lose(player *p, int kind) {
  if (!--p->copies[kind]) p->hand &= ~(1ull << kind);
}
static inline void draw_cards(player *p, int n) {
  for (; n && cards > unsold; n--) gain(p, turn_up());
}
static inline int operation(int kind, int code) {
  int i = 0;
  while (t->op[OPERATIONS * kind + i] != code) i++;
  return OPERATIONS * kind + i;
}
static inline int strength(int kind, int code) { return t->one[operation(kind, code)]; }
static inline int amount(int kind, int code) {
  int i = operation(kind, code);
  return t->one[i] + (t->two[i] * laps + 1) / 2;
}

/* Chariots: each belongs to the player of its number. */
static inline uint64_t fitted(int c, int code) { return who[c].fitted & doing[code]; }
static inline int lap_of(const player *p) { return p->lap > 1 ? p->lap : 1; }
static inline int limited(int speed) { return speed < 1 ? 1 : speed > FASTEST ? FASTEST : speed; }
static inline int is_taken(int square) { return taken[square >> 6] >> (square & 63) & 1; }
static inline void turn(int square) { taken[square >> 6] ^= 1ull << (square & 63); }
static inline void put_on(player *p, int square) {
  turn(p->square);
  turn(square);
  p->square = square;
  int distance = p->lap * t->lap_length + board[square].front;
  if (distance > p->best) p->best = distance, advanced = 1;
}
static inline int foremost(int set) {
  int found = -1, most = -1;
  for (; set; set &= set - 1) {
    int c = lowest(set), order = 8 * t->lap_length * who[c].lap + board[who[c].square].order;
    if (order > most) most = order, found = c;
  }
  return found;
}
static void dismiss(int c) {
  player *p = who + c;
  int kind = p->driver;
  p->driver = -1;
  p->fitted &= ~(1ull << kind);
  discard[kind]++;
  if (doing[OP_HEIRS] >> kind & 1) draw_cards(p, amount(kind, OP_HEIRS));
}
static inline void hire(int c, int kind) {
  who[c].driver = kind;
  who[c].fitted |= 1ull << kind;
}
static inline int counts_as(int c, int face) {
  for (uint64_t kinds = fitted(c, OP_NATURAL); kinds; kinds &= kinds - 1)
    for (int i = OPERATIONS * lowest(kinds), end = i + OPERATIONS; i < end; i++)
      if (t->op[i] == OP_NATURAL && t->one[i] == face) return t->two[i];
  return face;
}
