import { useTexts } from '../../../../dictionaries/texts.ts'
import { nameOf } from '../../../../format/name-of.ts'
import { UNLIMITED } from '../../../../format/unlimited.ts'
import { useFormat } from '../../../../format/use-format.ts'
import type { FactValue } from './rule-change.ts'

/** Facts and their values in the reader's language. */
export function useFactTexts(): {
  labelOf(fact: string): string
  wordOf(fact: string, word: string): string
  valueText(fact: string, value: FactValue): string
} {
  const t = useTexts('modelFacts')
  const format = useFormat()
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = t.words
  const wordOf = (fact: string, word: string): string => words[fact]?.[word] ?? word
  return {
    labelOf: (fact) => nameOf(fact, t.facts),
    wordOf,
    valueText: (fact, value) => {
      if (typeof value === 'boolean') return value ? t.yes : t.no
      if (typeof value === 'number') return value >= UNLIMITED ? t.noLimit : format.number(value)
      if (typeof value === 'string') return wordOf(fact, value)
      return value.length === 0 ? t.none : format.list(value.map((word) => wordOf(fact, word)))
    },
  }
}
