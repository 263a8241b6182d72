import type { ApiRoute } from '../api/route.ts'

/** A call that can be pasted into a shell, with the access token in a variable so that the history keeps no secret. */
export function curlExample(route: ApiRoute, origin: string): string {
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
