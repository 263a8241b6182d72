import { pageOfDocs } from './docs-page.ts'
import { type DocsPage, pageAtPath } from './html-page.ts'
import { documentOf } from './openapi.ts'
import type { ApiRoute } from '../api/route.ts'

/** The documentation of the API as it goes out, for the origin under which it is read. */
export interface WrittenDocs {
  /** The OpenAPI document, as JSON. */
  openApi(origin: string): string
  page(origin: string): DocsPage
}

/**
 * Writes the documentation when it is asked for, and once: that takes a tenth of a second in which the gateway serves
 * no request, and any caller may ask, with as many made-up origins as they like.
 */
export function writtenDocs(routes: readonly ApiRoute[], version: string): WrittenDocs {
  let written: { readonly openApi: string; readonly page: DocsPage } | null = null
  const write = () => {
    const document = documentOf(routes, { origin: ANY_ORIGIN, version })
    return { openApi: JSON.stringify(document), page: pageAtPath(pageOfDocs(routes, document), '/api/docs') }
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
