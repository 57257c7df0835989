/** Maps a list; returns the same list if no entry changes. */
export function changed<Entry>(list: readonly Entry[], change: (entry: Entry) => Entry): readonly Entry[] {
  let differs = false;
  const entries = list.map((entry) => {
    const result = change(entry);
    differs ||= result !== entry;
    return result;
  });
  return differs ? entries : list;
}
