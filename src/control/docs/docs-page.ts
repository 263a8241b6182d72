import { element, type Html, join, text, withCode } from './html.ts'
import { type DocsPage, htmlPage } from './html-page.ts'
import { markdown } from './markdown.ts'
import { fieldsOf, type SchemaField, schemaName } from './schema-fields.ts'
import { type OpenApiDocument, problemCodesOf } from './openapi.ts'
import { rolesWith } from '../../core/roles.ts'
import type { ApiRoute, Who } from '../api/route.ts'

/** The OpenAPI document as a page to read: rendered here, without a script, so nothing has to be loaded to read it. */
export function pageOfDocs(routes: readonly ApiRoute[], document: OpenApiDocument): DocsPage {
  const origin = document.servers?.[0]?.url ?? ''
  const tags = (document.tags ?? []).filter(({ name }) => routes.some(({ tag }) => tag === name))
  const sections = tags.map(({ name, description }) =>
    element('section', { id: anchor(name) }, [
      element('h2', {}, [anchored(name, anchor(name))]),
      element('p', {}, [text(description ?? '')]),
      ...routes.filter(({ tag }) => tag === name).map((route) => operation(route, { document, origin })),
    ]),
  )
  const body = join([
    navigation(routes, tags),
    element('main', {}, [
      element('h1', {}, [text(document.info.title)]),
      element('p', { class: 'version' }, [
        text(`Version ${document.info.version} · `),
        element('a', { href: '/api/openapi.json' }, [text('openapi.json')]),
        text(' (OpenAPI 3.1) · '),
        element('a', { href: '/docs/errors' }, [text('every error code')]),
      ]),
      markdown(document.info.description ?? '', (target) => target),
      ...sections,
    ]),
  ])
  return htmlPage(document.info.title, body)
}

interface DocsContext {
  readonly document: OpenApiDocument
  readonly origin: string
}

function navigation(routes: readonly ApiRoute[], tags: readonly { readonly name: string }[]): Html {
  const groups = tags.map(({ name }) =>
    element('li', {}, [
      element('a', { href: `#${anchor(name)}` }, [text(name)]),
      element(
        'ul',
        {},
        routes
          .filter(({ tag }) => tag === name)
          .map((route) =>
            element('li', {}, [
              element('a', { href: `#${routeAnchor(route)}` }, [
                method(route),
                text(' '),
                text(route.path.slice('/api'.length)),
              ]),
            ]),
          ),
      ),
    ]),
  )
  return element('nav', { 'aria-label': 'Routes' }, [element('ul', {}, groups)])
}

function operation(route: ApiRoute, { document, origin }: DocsContext): Html {
  const described = document.paths?.[route.path]?.[route.method]
  const parameters = (described?.parameters ?? []) as readonly Parameter[]
  return element('article', { id: routeAnchor(route) }, [
    element('h3', {}, [
      element('a', { href: `#${routeAnchor(route)}` }, [
        method(route),
        text(' '),
        element('code', {}, [text(route.path)]),
      ]),
    ]),
    element('p', { class: 'summary' }, [text(`${route.summary}.`)]),
    ...(route.description === null ? [] : [element('p', {}, [withCode(route.description)])]),
    element('p', { class: 'who' }, [text(whoMay(route))]),
    ...fieldTable('Parameters', { verb: 'Takes', fields: parameters.map(parameterField), route }),
    ...fieldTable(titled('Body', route.body, document), {
      verb: 'Takes',
      fields: fieldsOf(described?.requestBody, document),
      route,
    }),
    ...response(route, fieldsOf(described?.responses?.[route.status], document), document),
    element('details', {}, [element('summary', {}, [text('Errors')]), problems(route)]),
    element('h4', {}, [text('Try it')]),
    element('pre', { tabindex: '0' }, [element('code', {}, [text(curlExample(route, origin))])]),
  ])
}

function titled(title: string, schema: unknown, document: OpenApiDocument): string {
  const name = schema === null ? null : schemaName(schema, document)
  return name === null ? title : `${title}: ${name}`
}

/** Folded: most responses repeat the shape of an object that stands elsewhere as well. */
function response(route: ApiRoute, fields: readonly SchemaField[], document: OpenApiDocument): readonly Html[] {
  const title = titled(`Response ${route.status}`, route.answer, document)
  const [shown] = fieldTable(title, {
    verb: 'Type',
    fields: fields.map((field) => ({ ...field, isRequired: false })),
    route,
  })
  if (shown === undefined) return [element('p', { class: 'who' }, [text(`Returns ${route.status}.`)])]
  return [element('details', {}, [element('summary', {}, [text(title)]), shown])]
}

function problems(route: ApiRoute): Html {
  const links = problemCodesOf(route).flatMap((code, i) => [
    ...(i === 0 ? [] : [text(', ')]),
    element('a', { href: `/docs/errors/${code}` }, [element('code', {}, [text(code)])]),
  ])
  return element('p', {}, links)
}

function whoMay({ who, limits }: ApiRoute): string {
  const people = peopleOf(who)
  const tokens = limits.isReadOnly ? 'Access tokens of either scope.' : 'Access tokens with the scope write.'
  if (who === 'anyone') return people
  if (limits.needsSession)
    return `${people} A session alone${limits.needsConfirmation ? ', with recently confirmed credentials' : ''}.`
  return `${people} ${tokens}`
}

function peopleOf(who: Who): string {
  if (who === 'anyone') return 'Anyone, without a credential.'
  if (who === 'account') return 'Every account.'
  const roles = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(rolesWith(who))
  return `Accounts with the role ${roles}.`
}

function method(route: ApiRoute): Html {
  return element('span', { class: `method ${route.method}` }, [text(route.method.toUpperCase())])
}

function anchored(title: string, id: string): Html {
  return element('a', { href: `#${id}` }, [text(title)])
}

function routeAnchor({ method: verb, path }: ApiRoute): string {
  return `${verb}-${anchor(path.slice('/api/'.length))}`
}

function anchor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** A call that can be pasted into a shell, with the access token in a variable so that the history keeps no secret. */
function curlExample(route: ApiRoute, origin: string): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const url = path.includes('$') ? `"${origin}${path}"` : `${origin}${path}`
  const verb = route.method === 'get' ? '' : ` -X ${route.method.toUpperCase()}`
  const lines = [`curl -sS${verb} ${url}`]
  if (route.who !== 'anyone') lines.push(`  -H "Authorization: Bearer $TOLLGATE_ACCESS_TOKEN"`)
  if (route.body !== null) {
    lines.push(`  -H 'Content-Type: application/json'`)
    lines.push(`  -d ${quoted(JSON.stringify(route.example.body ?? {}))}`)
  }
  return lines.join(' \\\n')
}

function quoted(shellText: string): string {
  return `'${shellText.replaceAll("'", `'\\''`)}'`
}

/** What a table shows, and of which route. */
interface FieldTable {
  /** The head of the column of types. */
  readonly verb: string
  readonly fields: readonly SchemaField[]
  readonly route: ApiRoute
}

/** A table of fields that scrolls by itself; nothing when there are none. */
function fieldTable(title: string, { verb, fields, route }: FieldTable): readonly Html[] {
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
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: object
}

function parameterField(parameter: Parameter): SchemaField {
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
