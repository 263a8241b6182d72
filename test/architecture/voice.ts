import type { Finding, SourceFile } from './source-files.ts'

/** A phrase that is not this field's plain English, and what is said instead. */
interface Phrase {
  readonly say: string
  readonly pattern: RegExp
  /** Files in which it means something else. */
  readonly except?: RegExp
}

/** The rule of voice in AGENTS.md, as far as it can be read by a program. */
const PHRASES: readonly Phrase[] = [
  {
    say: 'name what does not act, or use the passive',
    pattern: /\bnobody\b(?!@)/gi,
    // An account of the operating system.
    except: /^test\/support\/postgres-server\.ts$/,
  },
  { say: 'name who acts', pattern: /\b(some|any|every)body\b/gi },
  { say: 'name who acts', pattern: /\bwho(m|se)?ever\b/gi },
  { say: 'reported, shown, listed, learned', pattern: /\btold\b|\btells? of\b/gi },
  { say: 'fix', pattern: /\bmend(s|ed|ing)?\b/gi },
  { say: 'a promise resolves', pattern: /(?<!['"])\bfulfil(s|led|ling)?\b/gi },
  { say: 'cannot', pattern: /\bcan not\b|\bcan't\b/gi },
  {
    say: 'cannot (contractions are for the console)',
    pattern: /\bcan’t\b/gi,
    except: /^(console|docs\/errors|test\/browser)\//,
  },
  { say: 'email', pattern: /\be-mails?\b/gi },
  { say: 'server', pattern: /\bthis place\b/gi },
  {
    say: 'is not',
    pattern: /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more\b|less\b|greater\b|later\b|earlier\b)[a-z]+/gi,
  },
  { say: 'admin', pattern: /\b(the|an|its|our|any) operator\b|(?<!['"[])\boperators\b/gi },
  { say: 'admin', pattern: /\boperator(?=[A-Z])/g },
  { say: 'note, report', pattern: /\btellOf/g },
  { say: 'returns', pattern: /\bAnswer whether\b/g },
  { say: 'setup', pattern: /(?<=\s)set-ups?(?=[\s.,;:)])/gi },
  {
    say: 'returns',
    pattern: /\banswers (whether|which|how (many|much|long)|null|the (ids?|code|position|fault|overruns))\b/gi,
  },
]

/** What names the phrases themselves: the rest of its line is not looked at. */
const NAMES_THEM = /Never said:.*/

/** Phrases that this project does not use, in everything that people read: names, texts, comments and documents. */
export function checkVoice({ path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    PHRASES.flatMap(({ say, pattern, except }) => {
      if (except?.test(path) === true) return []
      const found = line.replace(NAMES_THEM, '').match(pattern) ?? []
      return found.map((phrase) => ({ file: path, line: index + 1, what: `"${phrase}": ${say}` }))
    }),
  )
}

/**
 * The first word of a doc comment that cannot be understood without the line above it: a preposition or a pronoun. A
 * comment is a sentence that stands alone, or names its subject first.
 */
const HANGS =
  /^(?:of|in|on|at|by|for|from|to|with|without|under|over|after|before|between|as|than|into|behind|beside|beyond|until|since|per|its?|they|them|their|this|these|those|that|such|whose|which|the same|the ones?|one that)\b/i

/** Doc comments that hang on the line above them. */
export function checkComments({ path, text }: SourceFile): Finding[] {
  return Array.from(text.matchAll(/\/\*\*\s*(?:\*\s*)?(\S[^\n]*)/g)).flatMap(({ 1: first = '', index }) => {
    const [word] = HANGS.exec(first) ?? []
    const line = text.slice(0, index).split('\n').length
    return word === undefined
      ? []
      : [{ file: path, line, what: `a comment begins with "${word}": name its subject first` }]
  })
}
