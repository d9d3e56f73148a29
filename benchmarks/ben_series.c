/* Random series of Ben Hvrt with the cards, the auction, the market and the windows, without bribes, one chariot for
   each player, written by hand: what C reaches. run() plays the same series as quadriga.engine.kernels.drivers.measure
   and adds up the same numbers. It does not follow what the players know of each other's hands. */
#include "ben_race.h"

enum { DIGITS = 4 };
static const int WEIGHTS[DIGITS] = {1000, 100, 10, 1};

static void choose_dealer(void) {
  int cast[SEATS], tied = (1 << seats) - 1;
  while (tied & (tied - 1)) {
    int best = 0, rollers = tied;
    for (; rollers; rollers &= rollers - 1) {
      int seat = lowest(rollers);
      cast[seat] = die();
      if (cast[seat] > best) best = cast[seat], tied &= ~((1 << seat) - 1);
      else if (cast[seat] < best) tied &= ~(1 << seat);
    }
  }
  dealer = lowest(tied);
}

static void deal(int each, int set) {
  for (int i = 0; i < each; i++)
    for (int n = 0, seat = next(dealer); n < seats; n++, seat = next(seat))
      if (set >> seat & 1 && cards) gain(who + seat, turn_up());
}

/* Cards that a player can fit. */
static inline uint64_t fits(const player *p) { return p->hand & (drivers | (improvements & ~p->fitted)); }
static void fit(int c, int kind) {
  lose(who + c, kind);
  if (drivers >> kind & 1 && who[c].driver >= 0) dismiss(c);
  if (drivers >> kind & 1) hire(c, kind);
  else who[c].fitted |= 1ull << kind;
}

static void bid(int auctioneer, int lot) {
  for (int round = 1, bidders = entered;; round++) {
    for (int n = 0, seat = auctioneer; n < seats; n++, seat = next(seat)) {
      if (round > 1 && !(bidders & (bidders - 1))) {
        gain(who + lowest(bidders), lot);
        return;
      }
      if (!(bidders >> seat & 1)) continue;
      if (who[seat].purse >= round && decide(2) == 0) who[seat].purse -= round, pot += round;
      else bidders &= ~(1 << seat);
    }
    if (!bidders) {
      discard[lot]++;
      return;
    }
  }
}
static void auction(void) {
  int left = cards;
  for (int lap = 0; lap < laps; lap++)
    for (int n = 0, seat = next(dealer); n < seats; n++, seat = next(seat))
      if (entered >> seat & 1 && left) who[seat].face_down++, unsold++, left--;
  for (int seat = dealer; unsold; seat = next(seat)) {
    player *p = who + seat;
    if (!p->face_down) continue;
    int lot = turn_up(), choice;
    p->face_down--;
    unsold--;
    for (;;) {
      int buys = p->purse >= t->price[lot];
      uint64_t kinds = fits(p);
      choice = decide(1 + buys + count(kinds));
      if (choice <= buys) break;
      fit(seat, lowest(nth(kinds, choice - 1 - buys)));
    }
    if (choice) {
      p->purse -= t->price[lot];
      pot += t->price[lot];
      gain(p, lot);
    } else {
      bid(seat, lot);
    }
  }
}

/* An amount of money in four digits. */
static int money(int most, int not_nothing) {
  int sum = 0;
  for (int i = 0; i < DIGITS; i++) {
    int least = not_nothing && i == DIGITS - 1 && !sum, top = (most - sum) / WEIGHTS[i];
    sum += (least + decide((top > 9 ? 9 : top) + 1 - least)) * WEIGHTS[i];
  }
  return sum;
}
/* Cards of a pile in rising order of kinds, into `named`; returns their kinds. */
static uint64_t name_cards(const uint8_t *pile, uint64_t kinds, uint8_t *named) {
  uint64_t found = 0;
  for (;;) {
    int choice = decide(1 + count(kinds));
    if (!choice) return found;
    kinds = nth(kinds, choice - 1);
    int kind = lowest(kinds);
    if (!(found >> kind & 1)) named[kind] = 0;
    found |= 1ull << kind;
    if (++named[kind] == pile[kind]) kinds &= kinds - 1;
  }
}
static void hand_over(player *from, player *to, uint64_t kinds, const uint8_t *named) {
  for (; kinds; kinds &= kinds - 1)
    for (int i = named[lowest(kinds)]; i; i--) lose(from, lowest(kinds)), gain(to, lowest(kinds));
}
/* Makes an offer and has it answered; returns the players who swap. */
static int offer(int seat) {
  uint8_t given[KINDS], wanted[KINDS];
  int others = entered & ~(1 << seat), to = lowest(nth(others, decide(count(others))));
  player *p = who + seat, *other = who + to;
  uint64_t gives = name_cards(p->copies, p->hand, given);
  int paid = money(p->purse, 0);
  uint64_t wants = name_cards((const uint8_t *)t->copies, (1ull << t->kinds) - 1, wanted);
  int asked = money(100 * seats, !gives && !wants && !paid), possible = other->purse >= asked;
  made++;
  for (uint64_t kinds = wants; kinds && possible; kinds &= kinds - 1)
    possible = other->copies[lowest(kinds)] >= wanted[lowest(kinds)];
  if (!decide(1 + possible)) return 0;
  swaps++;
  p->purse += asked - paid;
  other->purse += paid - asked;
  hand_over(p, other, gives, given);
  hand_over(other, p, wants, wanted);
  return 1 << seat | 1 << to;
}
static void market(void) {
  int active = entered, offers[SEATS] = {0}, out[PLAYS];
  for (int seat = next(dealer); active; seat = next(seat)) {
    if (!(active >> seat & 1)) continue;
    uint64_t kinds = fits(who + seat);
    int offering = offers[seat] < t->offers && entered & ~(1 << seat), n = 1 + offering + count(kinds);
    int choice = decide(list_plays(seat, AU, 0, out, n));
    priority = seat;
    if (!choice) active &= ~(1 << seat);
    else if (choice <= offering) offers[seat]++, active |= offer(seat);
    else if (choice < n) fit(seat, lowest(nth(kinds, choice - 1 - offering)));
    else play(seat, out[choice] / WAYS, out[choice] % WAYS, AU, 0, 0);
  }
}

/* Asks whether to keep a card; returns whether it is dropped. */
static int drops(player *p, int kind) {
  int upkeep = t->upkeep[kind] + (t->upkeep_halves[kind] * laps + 1) / 2;
  if (!decide(1 + (p->purse >= upkeep))) return 1;
  p->purse -= upkeep;
  pot += upkeep;
  return 0;
}
static void maintain(void) {
  for (int n = 0, seat = next(dealer); n < seats; n++, seat = next(seat)) {
    player *p = who + seat;
    if (!(entered >> seat & 1)) continue;
    if (p->driver >= 0 && drops(p, p->driver)) dismiss(seat);
    for (uint64_t kinds = p->fitted & improvements; kinds; kinds &= kinds - 1)
      if (drops(p, lowest(kinds))) p->fitted &= ~(kinds & -kinds), discard[lowest(kinds)]++;
  }
  for (int n = 0, seat = next(dealer); n < seats; n++, seat = next(seat))
    for (uint64_t kinds = entered >> seat & 1 ? fitted(seat, OP_SUPPLY) : 0; kinds; kinds &= kinds - 1)
      draw_cards(who + seat, amount(lowest(kinds), OP_SUPPLY));
}

static void gather_discards(void) {
  for (int i = 0; i < cards; i++) discard[deck[i]]++;
  cards = 0;
  for (int kind = 0; kind < t->kinds; kind++)
    for (; discard[kind]; discard[kind]--) deck[cards++] = kind;
}

/* Adds decisions, outcomes of chance, cards played, vetoes, offers, swaps, bribes and the purse of each seat to out. */
void run(const tables *given, int64_t seed, int64_t first, int64_t games, int64_t *out) {
  read_tables(given);
  int all = cards, everybody = (1 << seats) - 1;
  decisions = outcomes = plays = vetoes = made = swaps = 0;
  for (int64_t game = first; game < first + games; game++) {
    start(seed, game);
    memcpy(deck, full, all);
    memset(discard, 0, sizeof discard);
    cards = all;
    pot = unsold = racing = mover = begun = 0;
    for (int seat = 0; seat < seats; seat++) who[seat] = (player){.purse = t->purse, .driver = -1};
    choose_dealer();
    deal(2, everybody);
    for (int number = 0; number < t->races; number++) {
      laps = t->laps[number];
      entered = 0;
      for (int seat = 0; seat < seats; seat++)
        if (who[seat].purse >= 2 * laps) who[seat].purse -= 2 * laps, pot += 2 * laps, entered |= 1 << seat;
      deal((laps + 1) / 2, entered);
      auction();
      market();
      maintain();
      race();
      pay_out();
      gather_discards();
      racing = mover = begun = 0;
    }
    for (int seat = 0; seat < seats; seat++) out[7 + seat] += who[seat].purse;
  }
  int64_t added[] = {decisions, outcomes, plays, vetoes, made, swaps};
  for (int i = 0; i < 6; i++) out[i] += added[i];
}
