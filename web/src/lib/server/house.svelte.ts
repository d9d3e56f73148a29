// The house: who may play on this server, how the reader stands there, and what moderators do.
import { call, introduce, Refusal } from './api';
import type {
  CaseContext,
  HouseInfo,
  HouseLog,
  HouseRules,
  HouseStatus,
  NewInvite,
  OwnAct,
  Queue,
  Received,
  Reporting,
  Standing,
} from './protocol';

export const house: { info: HouseInfo | null; standing: Standing | null; closed: Refusal | null } = $state({
  info: null,
  standing: null, // null for somebody the server does not know
  closed: null, // why the server lets the reader see nothing of what is played
});

export async function findHouse(): Promise<void> {
  house.info = await call<HouseInfo>('/house').catch(() => house.info);
}

/** Asks what moderators have done that concerns the reader. */
export async function findStanding(): Promise<void> {
  house.standing = await call<Standing>('/me/standing').catch(() => null);
  if (!banOf(house.standing) && house.closed?.code === 'house.banned') house.closed = null;
}

/** Returns the ban that is in force. */
export const banOf = (standing: Standing | null): OwnAct | null =>
  standing?.acts.find((act) => act.kind === 'ban' && act.holds) ?? null;

export async function confirm(act: OwnAct): Promise<void> {
  house.standing = await call<Standing>(`/me/acts/${act.id}/seen`, {});
}

export async function appeal(act: OwnAct, text: string): Promise<void> {
  house.standing = await call<Standing>(`/me/acts/${act.id}/appeal`, { text });
}

export async function agree(version: string): Promise<void> {
  house.standing = await call<Standing>('/me/terms', { version });
}

export async function report(what: Reporting): Promise<void> {
  await introduce();
  await call<Received>('/reports', what);
}

export const newInvite = (): Promise<NewInvite> => call<NewInvite>('/me/invite-codes', {});

// Moderators and hosts.

export const findQueue = (): Promise<Queue> => call<Queue>('/moderation/queue');
export const findCase = (id: string): Promise<CaseContext> => call<CaseContext>(`/moderation/cases/${id}`);
export const stepCase = (id: string, step: string, reason = ''): Promise<Queue> =>
  call<Queue>(`/moderation/cases/${id}`, { step, reason });
export const act = (order: Record<string, unknown>): Promise<Queue> => call<Queue>('/moderation/acts', order);
export const lift = (id: string, reason: string): Promise<Queue> =>
  call<Queue>(`/moderation/acts/${id}/lift`, { reason });
export const decide = (id: string, isLifted: boolean, answer: string): Promise<Queue> =>
  call<Queue>(`/moderation/acts/${id}/decide`, { lift: isLifted, answer });
export const findLog = (before = 0): Promise<HouseLog> =>
  call<HouseLog>(`/moderation/log${before ? `?before=${before}` : ''}`);
export const findStatus = (): Promise<HouseStatus> => call<HouseStatus>('/host');
export const setRules = (rules: HouseRules): Promise<HouseStatus> => call<HouseStatus>('/host/rules', rules);
export const appoint = (name: string, role: string): Promise<HouseStatus> =>
  call<HouseStatus>('/host/roles', { name, role });
