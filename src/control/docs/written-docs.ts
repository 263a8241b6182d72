import { pageOfDocs } from './docs-page.ts'
import { type DocsPage, pageAtPath } from './html-page.ts'
import { documentOf } from './openapi.ts'
import type { ApiRoute } from '../api/route.ts'

export type WrittenDocs = ReturnType<typeof writtenDocs>

/**
 * Writes the documentation of the API, for the origin under which it is read, when it is asked for, and once: that takes a
 * tenth of a second in which the gateway serves no request, and any caller may ask, with as many made-up origins as they like.
 */
export function writtenDocs(routes: readonly ApiRoute[], version: string) {
  let written: { readonly openApi: string; readonly page: DocsPage } | null = null
  const write = () => {
    const document = documentOf(routes, { origin: ANY_ORIGIN, version })
    return { openApi: JSON.stringify(document), page: pageAtPath(pageOfDocs(routes, document), '/api/docs') }
  }
  return {
    /** The OpenAPI document, as JSON. */
    openApi(origin: string): string {
      written ??= write()
      return written.openApi.replaceAll(ANY_ORIGIN, () => origin)
    },
    page(origin: string): DocsPage {
      written ??= write()
      const { html, contentSecurityPolicy } = written.page
      return { html: html.replaceAll(ANY_ORIGIN, () => origin), contentSecurityPolicy }
    },
  }
}

/** Stands where the origin goes; no host has this name (RFC 6761). An origin has no character that JSON or HTML would write otherwise. */
const ANY_ORIGIN = 'http://origin-of-the-reader.invalid'
