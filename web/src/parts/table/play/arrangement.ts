// Where everything of a running game stands: by the size of the window, and by what the table has to show.
import type { GameModule } from '../../../games/module';
import type { View } from '../../../lib/server/views';

/** What there is to arrange. */
export interface Contents {
  view: View;
  seats: number;
  isOver: boolean;
  isCoached: boolean;
  isFirstRace: boolean;
  hasChat: boolean;
}

export interface Arrangement {
  low: boolean; // a phone on its side, or a page zoomed to 200 %: everything to play with stands beside the board
  wide: boolean; // players and log stand beside the board
  cardsFirst: boolean; // the controls and the hand matter more than the board
  beside: boolean; // the controls stand beside the board
  handBeside: boolean;
  playersBeside: boolean;
  logBeside: boolean;
  coachAt: 'centre' | 'aside' | 'below';
  dense: boolean; // players, coach and log beside the board take less height
  slim: boolean; // the controls leave the rest of the height to others
  roomy: boolean; // the controls show a deal and take the height that they need
}

type Rules = Pick<GameModule, 'Hand' | 'besideFrom' | 'handBeside' | 'isBoardFirst' | 'showsControls'>;

/** Returns the arrangement in a window of this size, as the game wants it. */
export function arrange(width: number, height: number, game: Rules, contents: Contents): Arrangement {
  const { view, seats, isOver, isCoached, isFirstRace, hasChat } = contents;
  const hasHand = game.Hand !== null;
  const isBoardFirst = game.isBoardFirst(view);
  const low = height < 520 && width >= 560 && width > height;
  const wide = width > 900;
  // On a wide screen the controls stand beside the board, and the board has the height.
  const beside = low || (game.besideFrom !== null && width > game.besideFrom && isBoardFirst);
  // Players, controls, coach and log stand in one column; where the screen is too low for them they take less.
  const column =
    84 * seats +
    280 +
    (beside ? 260 : 0) +
    (isCoached ? 210 : 0) +
    (isFirstRace ? 190 : 0) +
    (hasChat ? 150 : 0);
  return {
    low,
    wide,
    cardsFirst: !isOver && !isBoardFirst,
    beside,
    handBeside: low || (beside && game.handBeside),
    // On a low screen the coach takes the place of the players or a part of the board; a first race's tips
    // have that part.
    playersBeside: !low || isOver || (!hasHand && !isCoached),
    logBeside: !low || isOver,
    coachAt: !low ? (wide ? 'aside' : 'centre') : !hasHand ? 'aside' : isFirstRace ? 'below' : 'centre',
    dense: wide && !low && !isOver && column > height,
    slim: !low || !hasHand,
    roomy: game.showsControls(view),
  };
}
