import type { ImportLink } from '../../src/contract/setup.ts'
import { fillPlaceholders, type SetupValues } from './placeholders.ts'

/** The address that imports the key. It holds the secret: build it when the person asks, and keep it nowhere. */
export function fillLink(link: ImportLink, values: SetupValues): string {
  const fill = (text: string): string => fillPlaceholders(text, values)
  switch (link.encoding) {
    case 'template':
      return fillPlaceholders(link.template, values, encodeURIComponent)
    case 'base64_json_plain':
      return link.prefix + base64(payloadText(link.payload, fill))
    case 'query':
      return link.prefix + '?' + query(link.parameters, fill)
    case 'json_query':
    case 'base64_json_query': {
      const json = payloadText(link.payload, fill)
      const value = link.encoding === 'json_query' ? json : base64(json)
      const last = { name: link.payload_parameter, value }
      return link.prefix + '?' + [query(link.parameters, fill), query([last], (text) => text)].filter(Boolean).join('&')
    }
  }
}

type Fill = (text: string) => string

function query(parameters: readonly { name: string; value: string }[], fill: Fill): string {
  return parameters.map(({ name, value }) => `${name}=${encodeURIComponent(fill(value))}`).join('&')
}

function payloadText(payload: object, fill: Fill): string {
  return JSON.stringify(payload, (_, value: unknown) => (typeof value === 'string' ? fill(value) : value))
}

/** Standard Base64 of the text's UTF-8. `btoa` takes bytes only, as characters. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
