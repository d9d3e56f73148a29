// Who the reader is on this server, and what they do with their account.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { settings } from '../app/settings.svelte';
import { showWaiting } from '../app/push';
import { call, deviceName, forgetIntroduction, introduce, recentTables, Refusal, token } from './api';
import { forgetSeen } from './lastSeen';
import type { Account, Devices, Kept, Me, MyGames, OidcProved, OidcStart } from './protocol';

interface Who {
  me: Account | null;
  passkeys: string;
  mail: boolean;
  oidc: string | null;
  isKnown: boolean;
}

export const who: Who = $state({
  me: null,
  passkeys: 'plain',
  mail: false, // whether the server sends codes by e-mail
  oidc: null, // what the host calls its identity provider
  isKnown: false, // whether the server was asked
});

const take = (answer: Me): void => {
  who.me = answer.me;
  who.passkeys = answer.passkeys;
  who.mail = answer.mail ?? false;
  who.oidc = answer.oidc ?? null;
  who.isKnown = true;
};

let asked = 0; // how often the server was asked who this is: only the newest answer counts

async function ask(): Promise<void> {
  asked += 1;
  const number = asked;
  const answer = await call<Me>('/me');
  if (number === asked) take(answer);
}

/** Asks the server who this is. A browser with tables of an earlier version becomes a guest. */
export async function findMe(): Promise<void> {
  await ask();
  if (!who.me && recentTables().some((table) => token(table))) {
    await introduce();
    await ask();
  }
}

/** Makes this guest a member, also by an account at the identity provider, and returns the recovery code. */
export async function keepGames(
  name: string,
  proof = '',
  admission: { invitation?: string; terms?: string } = {},
): Promise<string> {
  await introduce();
  const kept = await (proof
    ? call<Kept>('/me/oidc/keep', { name, proof, ...admission })
    : call<Kept>('/me/keep', { name, ...admission }));
  await ask();
  return kept.recovery;
}

export const rename = async (name: string): Promise<void> => take(await call<Me>('/me/name', { name }));

export const showProfile = async (shown: boolean): Promise<void> =>
  take(await call<Me>('/me/profile', { public: shown }));

export const becomeHost = async (code: string): Promise<void> => take(await call<Me>('/me/host', { code }));

export const newRecovery = async (): Promise<string> => (await call<Kept>('/me/recovery', {})).recovery;

/** Signs this device in by a code: one from another device has 8 characters, a recovery code has 24. */
export async function signIn(code: string, merge: boolean): Promise<void> {
  const isShort = code.replace(/[^0-9a-z]/gi, '').length <= 8;
  take(await call<Me>(isShort ? '/link' : '/recover', { code, merge, label: deviceName() }));
  forgetIntroduction();
  forgetSeen();
}

export async function signInByPasskey(merge: boolean): Promise<void> {
  const { options } = await call<{ options: never }>('/passkeys/options', {});
  const credential = await startAuthentication({ optionsJSON: options });
  take(await call<Me>('/passkeys', { credential, merge, label: deviceName() }));
  forgetIntroduction();
  forgetSeen();
}

/** Has a code sent to an e-mail address: to sign in by it, or to make it one's own. */
export const askMailCode = (path: '/mail' | '/me/mail', address: string): Promise<unknown> =>
  call(path, { address, language: settings.language });

export async function signInByMail(address: string, code: string, merge: boolean): Promise<void> {
  take(await call<Me>('/mail/sign-in', { address, code, merge, label: deviceName() }));
  forgetIntroduction();
}

export const keepMail = (address: string, code: string): Promise<Devices> =>
  call<Devices>('/me/mail/confirm', { address, code });

/** Leaves for the identity provider, which sends the browser back to the page *You*. */
export async function goToProvider(): Promise<void> {
  const { url } = await call<OidcStart>('/oidc/start', {});
  location.assign(url);
  await new Promise(() => {}); // until the browser has left
}

/** Returns the proof for what the provider has put into the address. */
export function finishAtProvider(back: URLSearchParams): Promise<OidcProved> {
  const given = Object.fromEntries(['code', 'state', 'iss'].map((name) => [name, back.get(name)]));
  return call<OidcProved>('/oidc/finish', given);
}

export async function signInByProvider(proof: string, merge: boolean): Promise<void> {
  take(await call<Me>('/oidc/sign-in', { proof, merge, label: deviceName() }));
  forgetIntroduction();
  forgetSeen();
}

export const linkProvider = (proof: string): Promise<Devices> => call<Devices>('/me/oidc', { proof });

export async function addPasskey(): Promise<Devices> {
  const { options } = await call<{ options: never }>('/me/passkeys/options', {});
  const credential = await startRegistration({ optionsJSON: options });
  return call<Devices>('/me/passkeys', { credential, label: deviceName() });
}

/** Deletes the account, or forgets this device. */
export async function deleteMe(name: string): Promise<void> {
  take(await call<Me>('/me/delete', { name }));
  forgetIntroduction();
  forgetSeen();
}

/** Returns the reader's games that are not over; null for somebody the server does not know. */
export async function myGames(): Promise<MyGames | null> {
  try {
    const found = await call<MyGames>('/me/games');
    showWaiting(found.games.filter((game) => game.mine && game.turn !== null).length);
    return found;
  } catch (fault) {
    if (fault instanceof Refusal && fault.status === 401) return null;
    throw fault;
  }
}
