// Leagues in words.
import { moduleOf } from '../../games/registry';
import type { Game } from '../server/api';
import type { LeagueEntry, LeagueGame, LeagueSeason } from '../server/protocol';
import { dateOf } from './dates';
import { hasMessage, localised, say } from './words.svelte';

export const titleIn = (list: Game[], id: string): string =>
  localised(list.find((game) => game.id === id)?.title) || id;

function optionTitle(game: string, option: string): string {
  const key = [`option.${game}.${option}`, `${game}.option.${option}`].find(hasMessage);
  return key ? say(key) : option;
}

function valueText(game: string, option: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => valueText(game, option, each)).join(', ');
  if (typeof value === 'boolean') return say(value ? 'open.on' : 'open.off');
  const key = `choice.${game}.${option}.${String(value)}`;
  if (hasMessage(key)) return say(key);
  return moduleOf(game).choice(option, String(value)) ?? String(value);
}

/** Returns a game that counts in a league, with the options that it needs. */
export function gameText(list: Game[], wanted: LeagueGame): string {
  const options = Object.entries(wanted.options ?? {}).map(([name, value]) =>
    say('open.option', { name: optionTitle(wanted.game, name), value: valueText(wanted.game, name, value) }),
  );
  const title = titleIn(list, wanted.game);
  return options.length ? `${title} (${options.join('; ')})` : title;
}

/** Returns when a season is or was. */
export function seasonText(season: LeagueSeason): string {
  const from = dateOf(season.begins);
  if (season.ends === null) return say('league.season.since', { from });
  return say(season.over ? 'league.season.was' : 'league.season.until', { from, to: dateOf(season.ends) });
}

/** Returns what the score of a game is called in the table of a league of this game alone. */
export const scoreTitle = (games: LeagueGame[]): string => {
  const key = `league.score.${games[0]?.game}`;
  return say(hasMessage(key) ? key : 'league.score');
};

function settingText(name: string, value: unknown): string {
  if (typeof value === 'boolean') return say(value ? 'league.set.yes' : 'league.set.no');
  if (name === 'ends') return typeof value === 'number' ? dateOf(value) : say('league.set.open');
  if (name === 'scoring') return say(`league.scoring.${String(value)}`);
  return String(value);
}

/** Returns what was changed in the settings, from the text of a log. */
function changesText(text: string): string {
  let changes: Record<string, [unknown, unknown] | null> = {};
  try {
    changes = JSON.parse(text) as typeof changes;
  } catch {
    return text;
  }
  return Object.entries(changes)
    .map(([name, pair]) =>
      pair
        ? say('league.set', {
            what: say(`league.set.${name}`),
            old: settingText(name, pair[0]),
            new: settingText(name, pair[1]),
          })
        : say(`league.set.${name}`),
    )
    .join(', ');
}

/** Returns a line of the log of a league. */
export function entryText(entry: LeagueEntry): string {
  const somebody = say('league.somebody');
  return say(`league.log.${entry.kind}`, {
    by: entry.by ?? somebody,
    name: entry.name ?? somebody,
    n: entry.season,
    text: entry.text,
    points: signed(entry.points ?? 0),
    what: entry.kind === 'settings' ? changesText(entry.text) : '',
  });
}

export const signed = (points: number): string =>
  points > 0 ? `+${points}` : String(points).replace('-', '−');
