import { z } from '@hono/zod-openapi'
import { FACT_NAMES, type FactName, factOf, inOrder, type ModelRules } from '../models/facts.ts'
import { wholeNumber, wordsOf } from './wire-values.ts'

/** What a model or a target takes otherwise than the table of models says, by the names of its columns. */
export const modelRules = z
  .object(Object.fromEntries(FACT_NAMES.map((name) => [name, valueOf(name).optional().describe(factOf(name).means)])))
  .strict()
  .openapi('ModelRules') as unknown as z.ZodType<ModelRules>

function valueOf(name: FactName): z.ZodType {
  const fact = factOf(name)
  switch (fact.kind) {
    case 'flag':
      return z.boolean()
    case 'number':
      return fact.isWhole ? wholeNumber({ ...fact, unit: 'count' }) : z.number().min(fact.least).max(fact.most)
    case 'word':
      return z.enum(fact.words as [string, ...string[]])
    case 'words':
      return wordsOf(fact.words).overwrite((some) => [...inOrder(fact.words, some)])
  }
}
