/**
 * About how many bits are still to be guessed in `secret` by a guesser who knows the texts in `known` (an email address, a
 * name), common words, dates, and the patterns people type. Deliberately low: for a random text it is close to the truth,
 * for what a person made up it stays under it.
 */
export function remainingBits(secret: string, known: readonly string[]): number {
  const names = known.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/)).filter((part) => part.length >= 3)
  const unknown = withoutPatterns(
    withoutWords(
      secret,
      [...names, ...COMMON_WORDS].sort((a, b) => b.length - a.length),
    ),
  )
  let bits = (unknown.split(PATTERN).length - 1) * BITS_OF_PATTERN
  for (const piece of unknown.split(GONE)) bits += bitsOf(piece)
  return bits
}

/** Stand where a known word and where a pattern was taken out. */
const WORD = ' '
const PATTERN = '\t'
const GONE = /[ \t]+/
/** The bits for which pattern it is, and how long: they have to be guessed too. */
const BITS_OF_PATTERN = 3

/** What people put into keys; compared in lower case, and with the digits that are written for letters. */
const COMMON_WORDS =
  `password passwort passwd passphrase secret private public token bearer api apikey key keys auth login
  access account user users username admin administrator root system server client service gateway tollgate openai
  anthropic claude gemini codex chatgpt gpt model test tests testing tester example sample demo default local localhost
  staging production prod development develop dev laptop desktop computer machine work home office company team project
  personal my mine your our the this that is and for with from custom temp temporary new old first hello world welcome
  letmein changeme please iloveyou love dragon monkey master shadow sunshine princess football baseball superman batman
  trustno hunter correct horse battery staple summer winter spring autumn january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday super safe secure security
  simple easy random string number value foo bar baz foobar qux lorem ipsum dolor deadbeef cafebabe cafe babe beef dead
  one two three four five six seven eight nine zero internet google github only just not very long enough characters`
    .split(/\s+/)
    .filter((word) => word.length >= 3)

const LETTER_FOR_DIGIT: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
}
/** Shorter words turn up by chance once digits count as letters. */
const SHORTEST_DISGUISED_WORD = 5

function withoutWords(secret: string, words: readonly string[]): string {
  let rest = secret.toLowerCase()
  let kept = secret
  for (const word of words) {
    const plain = word.length < SHORTEST_DISGUISED_WORD ? rest : undisguised(rest)
    for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + word.length)) {
      if (rest.slice(at, at + word.length).includes(WORD)) continue
      if (word.length === 3 && !standsAlone(rest, at, word.length)) continue
      const gap = WORD.repeat(word.length)
      rest = rest.slice(0, at) + gap + rest.slice(at + word.length)
      kept = kept.slice(0, at) + gap + kept.slice(at + word.length)
    }
  }
  return kept
}

/** Three letters turn up by chance in every random text, so they count as a word only between other things. */
function standsAlone(text: string, at: number, length: number): boolean {
  return !/[a-z0-9]/.test(text.charAt(at - 1)) && !/[a-z]/.test(text.charAt(at + length))
}

function undisguised(text: string): string {
  return text.replace(/[013457]/g, (digit) => LETTER_FOR_DIGIT[digit] ?? digit)
}

/** Rows and columns of keyboards, the alphabet, the digits: walked forwards and backwards. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyzabc',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  '00112233445566778899001122',
  'aabbccddeeffgghhiijj',
].flatMap((row) => [row, row.split('').toReversed().join('')])
const SHORTEST_WALK = 4

function withoutPatterns(secret: string): string {
  return withoutWalks(secret)
    .replace(/(?:19|20)(\d\d)[-_]?(?:0[1-9]|1[0-2])[-_]?(?:[0-2]\d|3[01])/g, `$1${PATTERN}`)
    .replace(/(?<!\d)(?:19|20)(\d\d)(?!\d)/g, `$1${PATTERN}`)
    .replace(/([^ \t]{1,3}?)\1{2,}|([^ \t]{4,64}?)\2+/gi, `$1$2${PATTERN}`)
}

/** Cuts out the longest walk at each place. The first character of a walk still has to be guessed, so it stays. */
function withoutWalks(secret: string): string {
  const lower = secret.toLowerCase()
  let kept = ''
  let at = 0
  while (at < lower.length) {
    const length = longestWalk(lower.slice(at, at + 40))
    kept += length < SHORTEST_WALK ? secret.charAt(at) : secret.charAt(at) + PATTERN
    at += length < SHORTEST_WALK ? 1 : length
  }
  return kept
}

function longestWalk(text: string): number {
  let length = SHORTEST_WALK
  while (length <= text.length && ROWS.some((row) => row.includes(text.slice(0, length)))) length += 1
  return length - 1
}

/** Two bits a letter is what English text carries; digits among letters are as good as the alphabet they come from. */
const BITS_OF_PROSE = 2
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/^\d+$/, 10],
  [/^[\da-f]+$|^[\dA-F]+$/, 16],
  [/^[a-z]+$|^[A-Z]+$/, 26],
  [/^[\da-z]+$|^[\dA-Z]+$/, 36],
  [/^[\da-zA-Z]+$/, 62],
]

function bitsOf(piece: string): number {
  let bits = 0
  for (const word of piece.split(/[-_]+/)) {
    if (word === '') continue
    const alphabet = CLASSES.find(([form]) => form.test(word))?.[1] ?? 62
    bits += word.length * (isPronounceable(word) ? BITS_OF_PROSE : Math.log2(alphabet))
  }
  return bits
}

/** Letters in which vowels come as often and as regularly as in words. */
function isPronounceable(word: string): boolean {
  if (!/^[A-Za-z]?[a-z]+$|^[A-Z]+$/.test(word)) return false
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0
  return vowels >= word.length / 5 && !/[^aeiouy]{5}/i.test(word)
}
