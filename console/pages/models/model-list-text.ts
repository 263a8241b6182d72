import type { ModelView } from '../../../src/contract/models.ts'

export const LIST_FORMATS = ['lines', 'commas', 'json', 'opencode'] as const

export type ListFormat = (typeof LIST_FORMATS)[number]

type ModelWithLimits = Pick<ModelView, 'name' | 'context_tokens' | 'max_output_tokens'>

/** The names of models as a client takes them. */
export function modelListText(models: readonly ModelWithLimits[], format: ListFormat): string {
  const names = models.map(({ name }) => name)
  if (format === 'lines') return names.join('\n')
  if (format === 'commas') return names.join(',')
  if (format === 'json') return JSON.stringify(names, null, 2)
  return JSON.stringify(Object.fromEntries(models.map((model) => [model.name, openCodeModel(model)])), null, 2)
}

/** The entry of a model in OpenCode's file: its limits are written both or not at all. */
function openCodeModel({ context_tokens: context, max_output_tokens: output }: ModelWithLimits): object {
  return context === null || output === null ? {} : { limit: { context, output } }
}
