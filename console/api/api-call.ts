import { type ApiCall, withQuery } from './request.ts'

/**
 * A call as a line for the shell, with the access token in a variable, as the pages under /api/docs have it: the line and
 * the shell's history hold no secret.
 */
export function curlOf({ path, query }: ApiCall, origin: string): string {
  return `curl -sS ${quoted(origin + withQuery(path, query))} \\\n  -H "Authorization: Bearer $TOLLGATE_ACCESS_TOKEN"`
}

/** A link may hold anything: nothing in it may end the quotation. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
