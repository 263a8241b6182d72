import type { UpstreamRequest } from '../../upstream-client.ts'

/**
 * Endpoints that the APIs with a dated version have below a deployment; others, as responses, take it as the model in the body
 * (openai-node, `_deployments_endpoints` of azure.ts).
 */
const OF_DEPLOYMENTS: ReadonlySet<string> = new Set([
  '/chat/completions',
  '/completions',
  '/embeddings',
  '/images/generations',
  '/images/edits',
  '/audio/speech',
  '/audio/transcriptions',
  '/audio/translations',
])

/** The path of a request below the deployment that it names, where its endpoint stands there. */
export function deploymentPath({ path, asks }: Pick<UpstreamRequest, 'path' | 'asks'>): string {
  const model = asks?.model ?? null
  const mark = path.indexOf('?')
  const endpoint = mark < 0 ? path : path.slice(0, mark)
  return model === null || !OF_DEPLOYMENTS.has(endpoint) ? path : `/deployments/${encodeURIComponent(model)}${path}`
}

const VERSION = 'api-version'

/** The path with the upstream's version, and without the one that a client of Azure's names; null: without any. */
export function withVersion(path: string, apiVersion: string | null): string {
  const own = apiVersion === null ? null : `${VERSION}=${encodeURIComponent(apiVersion)}`
  const mark = path.indexOf('?')
  // Nearly every request.
  if (mark < 0) return own === null ? path : `${path}?${own}`
  const fields = path.slice(mark + 1).split('&')
  const kept = fields.filter((field) => field !== '' && !field.startsWith(`${VERSION}=`) && field !== VERSION)
  const query = own === null ? kept : [...kept, own]
  return query.length === 0 ? path.slice(0, mark) : `${path.slice(0, mark)}?${query.join('&')}`
}
