/* Random games of Ur by Ben's rules, with counts, written by hand on bit masks: what C reaches.
   run() plays the same games as quadriga.engine.kernels.drivers.measure and adds up the same numbers. */
#include "twin.h"

enum { LAST = 15, STEPS = 23, TURN = 28, OFF = 1 << (TURN - STEPS - 1) };
enum { CENTRE = 1 << 8, FAR = 1 << 12, GATES = 1 << 13 | 1 << 15 };
enum { BLANK_STEPS = (2 << LAST) - 2, DOTTED_STEPS = (1 << LAST) - 2 * OFF };
enum { ROSETTE = 1 << 4 | 1 << 8 | 1 << 12, EYES = 1 << 1 | 1 << 3 | 1 << 11, PASSAGE = 1 << 5 | 1 << 7 | 1 << 10 };
enum { PLAIN = BLANK_STEPS & ~ROSETTE & ~PASSAGE & ~GATES, SHARED = 0xFE0 | 1 << 14 };
static const int FACES[8] = {0, 1, 1, 1, 2, 2, 2, 3};

typedef struct { uint32_t blank, dotted, blank_twin, dotted_twin, off; } side;

static inline uint32_t exchanged(uint32_t d) { return (d & ~GATES) | (((d & GATES) << 2 | (d & GATES) >> 2) & GATES); }
static inline uint32_t full(uint32_t mine, uint32_t other, uint32_t theirs, uint32_t across, uint32_t twins) {
  uint32_t a = other & CENTRE, b = theirs & CENTRE, c = across & (CENTRE | FAR);
  return (twins | (mine & a) | (b & c) | ((mine | a) & (b | c))) & ROSETTE;
}
static inline uint32_t free_blank(const side *m, const side *o, int jump) {
  uint32_t facing = o->blank & SHARED, taken = jump ? facing : 0;
  uint32_t twins = m->blank_twin | ((m->dotted_twin | o->blank_twin) & CENTRE) | (o->dotted_twin & (CENTRE | FAR));
  return (PLAIN & ~(m->blank | m->dotted | o->dotted | taken)) | (PASSAGE & ~(m->blank | taken)) |
         (ROSETTE & ~full(m->blank, m->dotted, facing, o->dotted, twins)) |
         (GATES & ~(exchanged(m->dotted) | o->dotted));
}
static inline uint32_t free_dotted(const side *m, const side *o, int jump) {
  uint32_t blank = m->blank & SHARED, facing = exchanged(o->dotted), taken = jump ? facing : 0;
  uint32_t twins = m->dotted_twin | ((m->blank_twin | o->dotted_twin) & CENTRE) | (o->blank_twin & (CENTRE | FAR));
  return DOTTED_STEPS & ((PLAIN & ~(blank | m->dotted | o->blank | taken)) | ((PASSAGE | GATES) & ~(m->dotted | taken)) |
                         (ROSETTE & ~full(m->dotted, blank, facing, o->blank, twins)));
}
static inline uint32_t blank_span(int step) {
  int last = (step | 3) + 1 < LAST ? (step | 3) + 1 : LAST;
  return (2u << last) - (2u << step);
}
static inline uint32_t dotted_span(int bit) {
  int last = ((TURN - bit) | 3) + 1 < STEPS ? ((TURN - bit) | 3) + 1 : STEPS;
  return (1u << bit) - (1u << (TURN - last));
}
static inline int board(const side *s) { return count(s->blank) + count(s->dotted) + count(s->blank_twin) + count(s->dotted_twin); }

/* UR-3: both sides roll, and jump after a 0, until one is ahead; returns the side to start. */
static int opening(side *p, int64_t *out) {
  for (;;) {
    int roll[2] = {FACES[below(8)], FACES[below(8)]}, at[2];
    out[1] += 2;
    for (int i = 0; i < 2; i++) at[i] = p[i].blank ? lowest(p[i].blank) : 0;
    int jumps = !roll[0] | !roll[1] << 1;
    if (jumps == 3) {
      uint32_t both = blank_span(at[0]) & free_blank(p, p + 1, 1) & blank_span(at[1]) & free_blank(p + 1, p, 1);
      if (both & SHARED) jumps = 0;
    } else {
      for (int i = 0; i < 2; i++) if (roll[i]) p[i].blank = 1u << (at[i] + roll[i]);
    }
    int compared = jumps || roll[0] || roll[1];
    for (int i = 0; i < 2; i++)
      if (jumps >> i & 1) {
        uint32_t targets = blank_span(at[i]) & free_blank(p + i, p + (i ^ 1), 1);
        p[i].blank = 1u << lowest(nth(targets, below(count(targets))));
        out[0]++;
      }
    if (!compared) continue;
    int a = p[0].blank ? lowest(p[0].blank) : 0, b = p[1].blank ? lowest(p[1].blank) : 0;
    if (a != b) return a > b ? 0 : 1;
    if (1u << a & SHARED) p[0].blank = p[1].blank = 0;
  }
}

/* Adds decisions, rolls, captures, jumps, free turns, lost turns and the wins of both sides to out. */
void run(int64_t seed, int64_t first, int64_t games, int64_t *out) {
  for (int64_t game = first; game < first + games; game++) {
    start(seed, game);
    side p[2] = {{0}, {0}};
    int me = opening(p, out);
    side m = p[me], o = p[me ^ 1];
    for (;;) {
      int roll = FACES[below(8)], again = 0, captured = 0, from = 0, dotted = 0;
      uint32_t to = 0, home = 7 - m.off - board(&m) > 0;
      out[1]++;
      if (roll) {
        uint32_t blanks = (m.blank | home) << roll & BLANK_STEPS & free_blank(&m, &o, 0);
        uint32_t dotteds = m.dotted >> roll & (free_dotted(&m, &o, 0) | OFF);
        int n = count(blanks) + count(dotteds);
        if (n) {
          int choice = below(n);
          dotted = choice >= count(blanks);
          to = dotted ? nth(dotteds, choice - count(blanks)) : nth(blanks, choice);
          to &= -to;
          from = dotted ? lowest(to) + roll : lowest(to) - roll;
        }
      } else {
        uint32_t room = free_blank(&m, &o, 1), down = free_dotted(&m, &o, 1);
        int n = 0, choice;
        for (uint32_t s = m.blank | home; s; s &= s - 1) n += count(blank_span(lowest(s)) & room);
        for (uint32_t s = m.dotted; s; s &= s - 1)
          n += lowest(s) == TURN - STEPS ? 1 : count(dotted_span(lowest(s)) & down);
        if (n) {
          choice = below(n);
          for (uint32_t s = m.blank | home; s && !to; s &= s - 1) {
            uint32_t targets = blank_span(from = lowest(s)) & room;
            if (choice < count(targets)) to = nth(targets, choice) & -nth(targets, choice);
            else choice -= count(targets);
          }
          for (uint32_t s = m.dotted; s && !to; s &= s - 1) {
            from = lowest(s);
            dotted = 1;
            uint32_t targets = from == TURN - STEPS ? OFF : dotted_span(from) & down;
            if (choice < count(targets)) to = nth(targets, choice) & -nth(targets, choice);
            else choice -= count(targets);
          }
        }
      }
      if (!to) {
        out[5]++;
      } else {
        uint32_t source = 1u << from, victim;
        out[0]++;
        out[3] += !roll;
        if (dotted) {
          if (m.dotted_twin & source) m.dotted_twin ^= source;
          else m.dotted ^= source;
          if (to == OFF) {
            if (++m.off == 7) break;
          } else {
            victim = exchanged(to) & ~ROSETTE & o.dotted;
            o.dotted ^= victim;
            captured = victim != 0;
            m.dotted_twin |= m.dotted & to;
            m.dotted |= to;
          }
        } else {
          if (m.blank_twin & source) m.blank_twin ^= source;
          else if (from) m.blank ^= source;
          victim = to & SHARED & ~ROSETTE & o.blank;
          o.blank ^= victim;
          captured = victim != 0;
          if (to & GATES) m.dotted |= 1u << (TURN - lowest(to));
          else {
            m.blank_twin |= m.blank & to;
            m.blank |= to;
          }
        }
        out[2] += captured;
        again = ((EYES & to) != 0 || !roll) && !captured;
        out[4] += again;
      }
      if (!again) {
        side s = m;
        m = o;
        o = s;
        me ^= 1;
      }
    }
    out[6 + me]++;
  }
}
