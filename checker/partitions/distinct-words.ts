const FACTOR = 0x9e3779b1;

/**
 * Finds the different words in one place of many rows. Rows have few different words in one place,
 * so what a word means is spelled out once, and not for each row. Its arrays are used again and
 * again.
 */
export class DistinctWords {
  private table = new Int32Array(0);
  private words = new Int32Array(0);
  private numbers = new Int32Array(0);

  /**
   * `distinct` are the words in the order in which they occur; `places` says by row which of them
   * it has. The latter is right until the next call.
   */
  of(
    rows: Int32Array,
    word: number,
    width: number,
    count: number,
  ): { readonly distinct: Int32Array; readonly places: Int32Array } {
    const bits = 33 - Math.clz32(count);
    const low = (1 << bits) - 1;
    if (low >= this.table.length) {
      this.table = new Int32Array(1 << bits);
      this.words = new Int32Array(1 << bits);
      this.numbers = new Int32Array(1 << bits);
    }
    const { table, words, numbers } = this;
    // Numbers plus 1, by hash.
    table.fill(0, 0, low + 1);
    let known = 0;
    for (let row = 0, at = word; row < count; row++, at += width) {
      const value = rows[at]!;
      let place = Math.imul(value, FACTOR) >>> (32 - bits);
      let number = table[place]!;
      while (number !== 0 && words[number - 1] !== value) {
        place = (place + 1) & low;
        number = table[place]!;
      }
      if (number === 0) {
        words[known++] = value;
        number = known;
        table[place] = number;
      }
      numbers[row] = number - 1;
    }
    return { distinct: words.slice(0, known), places: numbers.subarray(0, count) };
  }
}
