import { createHash } from 'node:crypto'
import { curlExample } from './curl-example.ts'
import { element, type Html, join, text, withCode } from './html.ts'
import { fieldsOf, type SchemaField, schemaName } from './schema-fields.ts'
import { STYLE } from './style.ts'
import { type OpenApiDocument, problemCodesOf } from './openapi.ts'
import type { Route } from '../route.ts'

export interface DocsPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** The OpenAPI document as a page to read: rendered here, without a script, so nothing has to be loaded to read it. */
export function pageOfDocs(routes: readonly Route[], document: OpenApiDocument): DocsPage {
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
      ...introduction(document.info.description ?? ''),
      ...sections,
    ]),
  ])
  return htmlPage(document.info.title, body)
}

/** A whole page in the style of the documentation. Its policy lets in that one style sheet and nothing else. */
export function htmlPage(title: string, body: Html): DocsPage {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title).markup}</title><style>${STYLE}</style></head><body>${body.markup}</body></html>
`
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  }
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

interface Place {
  readonly document: OpenApiDocument
  readonly origin: string
}

function navigation(routes: readonly Route[], tags: readonly { readonly name: string }[]): Html {
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

/** Paragraphs and lists, as the introduction is written. */
function introduction(markdown: string): readonly Html[] {
  return markdown.split('\n\n').map((block) => {
    const items = block.split('\n').filter((line) => line.startsWith('- '))
    return items.length === 0
      ? element('p', {}, [withCode(block)])
      : element(
          'ul',
          {},
          items.map((item) => element('li', {}, [withCode(item.slice('- '.length))])),
        )
  })
}

function operation(route: Route, { document, origin }: Place): Html {
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
    ...table('Parameters', { verb: 'Takes', fields: parameters.map(parameterField) }),
    ...table(titled('Body', route.body, document), {
      verb: 'Takes',
      fields: fieldsOf(described?.requestBody, document),
    }),
    ...answer(route, fieldsOf(described?.responses?.[route.status], document), document),
    element('details', {}, [element('summary', {}, [text('Errors')]), problems(route)]),
    element('h4', {}, [text('Try it')]),
    element('pre', { tabindex: '0' }, [element('code', {}, [text(curlExample(route, origin))])]),
  ])
}

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

function titled(title: string, schema: unknown, document: OpenApiDocument): string {
  const name = schema === null ? null : schemaName(schema, document)
  return name === null ? title : `${title}: ${name}`
}

/** Folded: most answers repeat the shape of an object that stands elsewhere as well. */
function answer(route: Route, fields: readonly SchemaField[], document: OpenApiDocument): readonly Html[] {
  const title = titled(`Answer ${route.status}`, route.answer, document)
  const [shown] = table(title, { verb: 'Type', fields: fields.map((field) => ({ ...field, isRequired: false })) })
  if (shown === undefined) return [element('p', { class: 'who' }, [text(`Answers ${route.status}.`)])]
  return [element('details', {}, [element('summary', {}, [text(title)]), shown])]
}

function table(title: string, { verb, fields }: { verb: string; fields: readonly SchemaField[] }): readonly Html[] {
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
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title }, [
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

function problems(route: Route): Html {
  const links = problemCodesOf(route).flatMap((code, i) => [
    ...(i === 0 ? [] : [text(', ')]),
    element('a', { href: `/docs/errors/${code}` }, [element('code', {}, [text(code)])]),
  ])
  return element('p', {}, links)
}

function whoMay({ who, limits }: Route): string {
  const people = { anyone: 'Anyone, without a credential.', account: 'Every account.', admin: 'Admins.' }[who]
  const tokens = limits.isReadOnly ? 'Access tokens of either scope.' : 'Access tokens with the scope write.'
  if (who === 'anyone') return people
  if (limits.needsSession)
    return `${people} A session alone${limits.needsConfirmation ? ', with credentials shown lately' : ''}.`
  return `${people} ${tokens}`
}

function method(route: Route): Html {
  return element('span', { class: `method ${route.method}` }, [text(route.method.toUpperCase())])
}

function anchored(title: string, id: string): Html {
  return element('a', { href: `#${id}` }, [text(title)])
}

function routeAnchor({ method: verb, path }: Route): string {
  return `${verb}-${anchor(path.slice('/api/'.length))}`
}

function anchor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
