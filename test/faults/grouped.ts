/**
 * Long lists of sentences that differ in ids and amounts only, one of each kind with how many there are: a defect that
 * meets a hundred requests is to be read once.
 */
export function grouped(sentences: readonly string[]): string[] {
  const kinds = Map.groupBy(sentences, (sentence) => kindOf(sentence))
  return [...kinds.values()].map((same) => `${same.length} such: ${same[0] ?? ''}`)
}

/** What was seen stands before the last colon, what is wrong with it behind. */
function kindOf(sentence: string): string {
  return sentence.slice(sentence.lastIndexOf(': ') + 2).replace(/req_\w+|key_\w+|acc_\w+|\d+/g, '#')
}
