import { type DocsPage, pageOfDocs } from './docs-page.ts'
import { documentOf } from './openapi.ts'
import type { Route } from '../route.ts'

/** The documentation of the API as it goes out, for the origin under which somebody reads it. */
export interface WrittenDocs {
  /** The OpenAPI document, as JSON. */
  openApi(origin: string): string
  page(origin: string): DocsPage
}

/**
 * Writes the documentation when somebody asks for it, and once: that takes a tenth of a second in which the gateway serves
 * nobody, and anybody may ask, from as many origins as they can make up.
 */
export function writtenDocs(routes: readonly Route[], version: string): WrittenDocs {
  let written: { readonly openApi: string; readonly page: DocsPage } | null = null
  const write = () => {
    const document = documentOf(routes, { origin: ANY_ORIGIN, version })
    return { openApi: JSON.stringify(document), page: pageOfDocs(routes, document) }
  }
  return {
    openApi(origin) {
      written ??= write()
      return written.openApi.replaceAll(ANY_ORIGIN, () => origin)
    },
    page(origin) {
      written ??= write()
      const { html, contentSecurityPolicy } = written.page
      return { html: html.replaceAll(ANY_ORIGIN, () => origin), contentSecurityPolicy }
    },
  }
}

/** Stands where the origin goes; no host has this name (RFC 6761). An origin has no character that JSON or HTML would write otherwise. */
const ANY_ORIGIN = 'http://origin-of-the-reader.invalid'
