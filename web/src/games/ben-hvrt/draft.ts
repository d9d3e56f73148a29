// An offer under construction: it belongs to its maker alone, and outlives a turn of the phone.

export interface Draft {
  to: number;
  give: string[];
  want: string[];
  pay: number;
  ask: number;
}

export const blank = (): Draft => ({ to: -1, give: [], want: [], pay: 0, ask: 0 });
