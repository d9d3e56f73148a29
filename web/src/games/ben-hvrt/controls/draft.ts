// An offer under construction.

export interface Draft {
  to: number;
  give: string[];
  want: string[];
  pay: number;
  ask: number;
}

export const blank = (): Draft => ({ to: -1, give: [], want: [], pay: 0, ask: 0 });
