import { fieldsIn } from '../../../protocols/json/json-scan.ts'
import { piecesOf } from '../../../protocols/json/range-edits.ts'
import type { UpstreamRequest } from '../../upstream-client.ts'

/**
 * OpenAI's request at the endpoint for its libraries ("Using OpenAI libraries with Vertex AI"), or at that of a model which
 * the project itself has deployed. The model is named with its publisher there (`Malformed publisher model name: expected
 * format '<publisher>/<model>'`, Ikalus1988/MisakaNet issue 1472), which people leave out for Google's own.
 */
export function openaiRequest(request: UpstreamRequest, model: string): UpstreamRequest {
  const deployed = /^(?:.*\/)?endpoints\/(\d+)$/.exec(model)?.[1]
  const endpoint = deployed ?? 'openapi'
  const path = `/endpoints/${endpoint}${request.path}`
  const name = deployed === undefined ? publishedName(model) : model
  return name === model ? { ...request, path } : { ...request, path, body: renamed(Buffer.concat(request.body), name) }
}

function publishedName(model: string): string {
  const [, publisher, name] = /^publishers\/([^/]+)\/models\/(.+)$/.exec(model) ?? []
  if (publisher !== undefined) return `${publisher}/${name}`
  return /^gem(?:ini|ma)-[^/]*$/.test(model) ? `google/${model}` : model
}

function renamed(body: Buffer, name: string): Buffer[] {
  const at = fieldsIn(body, new Set(['model']))?.get('model')
  return at === undefined ? [body] : piecesOf(body, [{ at, text: JSON.stringify(name) }])
}
