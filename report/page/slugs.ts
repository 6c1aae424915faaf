const LONGEST = 64;

/** Names for the parts of a link: short, readable, each given once and none that is taken. */
export function slugger(taken: readonly string[] = []): (text: string) => string {
  const given = new Set(taken);
  return (text) => {
    const words = text
      .toLowerCase()
      .replaceAll(/[^a-z0-9.]+/g, '-')
      .slice(0, LONGEST)
      .replaceAll(/^-+|-+$/g, '');
    const base = words === '' ? 'unnamed' : words;
    let slug = base;
    for (let number = 2; given.has(slug); number += 1) slug = `${base}-${number}`;
    given.add(slug);
    return slug;
  };
}
