const LONGEST = 64;

/** Names for the parts of a link: short, readable, and each given once. */
export function slugger(): (text: string) => string {
  const given = new Set<string>();
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
