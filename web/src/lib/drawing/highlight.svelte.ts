// The places on the board that a line of the log names, while it is hovered, touched or focused.

export const highlight: { places: string[] } = $state({ places: [] });

export const lightUp = (places: string[]): void => {
  highlight.places = places;
};
