import type { CustomImport, ImportTargetView, ImportWarning } from '../../../contract/setup.ts'
import type { SetupModel } from './client-description.ts'

interface LinkContext {
  readonly origin: string
  readonly openaiBaseUrl: string
  /** The key's models, in the order in which they are offered where the template names one. */
  readonly models: readonly SetupModel[]
}

/** The admin's own links. What never changes is filled in here; the rest, as everywhere, by the browser. */
export function customTargets(imports: readonly CustomImport[], context: LinkContext): ImportTargetView[] {
  return imports.map(({ name, template }, index) => {
    const namesModel = template.includes('{model}')
    const models = namesModel ? context.models.map((model) => model.name) : []
    const first = models[0]
    const option = {
      id: 'custom',
      name,
      models,
      slots: first === undefined ? [] : [{ placeholder: 'model' as const, suggested: first }],
      link: { encoding: 'template' as const, template: withAddresses(template, context) },
    }
    const isUsable = !namesModel || first !== undefined
    return {
      id: `custom-${index + 1}`,
      name,
      show_as: 'link',
      is_custom: true,
      warnings: warningsOf(template),
      options: isUsable ? [option] : [],
      unavailable: isUsable ? null : 'no_models',
    }
  })
}

function withAddresses(template: string, { origin, openaiBaseUrl }: LinkContext): string {
  return template.replace(/\{(origin|base_url)\}/g, (_, name) =>
    encodeURIComponent(name === 'origin' ? origin : openaiBaseUrl),
  )
}

/** A web address takes the key to a server when it stands before the fragment, and into the history in any case. */
function warningsOf(template: string): ImportWarning[] {
  const key = template.indexOf('{key}')
  if (!/^https?:/i.test(template) || key < 0) return []
  const fragment = template.indexOf('#')
  return fragment >= 0 && fragment < key ? ['key_in_web_address'] : ['key_reaches_web_server']
}
