import { element, type Html, text, withCode } from './html.ts'
import { fieldsOf, type SchemaField } from './schema-fields.ts'
import type { ApiRoute } from '../api/route.ts'

/** What a table shows, and of which route. */
interface FieldTable {
  /** The head of the column of types. */
  readonly verb: string
  readonly fields: readonly SchemaField[]
  readonly route: ApiRoute
}

/** A table of fields that scrolls by itself; nothing when there are none. */
export function fieldTable(title: string, { verb, fields, route }: FieldTable): readonly Html[] {
  if (fields.length === 0) return []
  const hasNotes = fields.some(({ note }) => note !== '')
  const rows = fields.map((field) =>
    element('tr', {}, [
      element('td', { class: `depth-${Math.min(field.depth, DEEPEST)}` }, [element('code', {}, [text(field.name)])]),
      element('td', {}, [text(field.type), ...(field.isRequired ? [element('b', {}, [text(' required')])] : [])]),
      ...(hasNotes ? [element('td', {}, [withCode(field.note)])] : []),
    ]),
  )
  const head = ['Field', verb, ...(hasNotes ? ['Meaning'] : [])]
  return [
    // A name of its own among the regions of the page.
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${title}: ${nameOf(route)}` }, [
      element('table', {}, [
        element('caption', {}, [text(title)]),
        element('thead', {}, [
          element(
            'tr',
            {},
            head.map((name) => element('th', { scope: 'col' }, [text(name)])),
          ),
        ]),
        element('tbody', {}, rows),
      ]),
    ]),
  ]
}

const DEEPEST = 4

/** A parameter as the OpenAPI document has it. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: object
}

export function parameterField(parameter: Parameter): SchemaField {
  const [field] = fieldsOf(
    { schema: { type: 'object', properties: { [parameter.name]: parameter.schema ?? {} } } },
    null,
  )
  const where = parameter.in === 'query' ? '' : ` (${parameter.in})`
  return {
    name: `${parameter.name}${where}`,
    depth: 0,
    type: field?.type ?? 'text',
    isRequired: parameter.required === true,
    note: parameter.description ?? field?.note ?? '',
  }
}

function nameOf({ method: verb, path }: ApiRoute): string {
  return `${verb.toUpperCase()} ${path}`
}
