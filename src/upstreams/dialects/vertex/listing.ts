import { fieldsOf, listOf } from '../../../protocols/json/json-object.ts'
import type { DialectUpstream, ModelListing } from '../dialect.ts'

/**
 * The models of Model Garden (`publishers.models.list` of v1beta1, which takes `-` and `*` for all publishers and has no project
 * in its path: js-genai, `shouldPrependVertexProjectPath`). It lists what can be had, not what a project may call in its location.
 */
export function listingOf({ protocol, baseUrl }: DialectUpstream): ModelListing {
  const publisher = PUBLISHERS[protocol] ?? '*'
  const url = `${new URL(baseUrl).origin}/v1beta1/publishers/${publisher}/models?pageSize=100&listAllVersions=true`
  return {
    url,
    read: (body) => {
      const { publisherModels, nextPageToken: token } = fieldsOf(body)
      const names = listOf(publisherModels).flatMap((each) => nameOf(each, publisher === '*'))
      const hasMore = typeof token === 'string' && token !== ''
      return { names: [...new Set(names)], nextUrl: hasMore ? `${url}&pageToken=${encodeURIComponent(token)}` : null }
    },
  }
}

const PUBLISHERS: Partial<Record<DialectUpstream['protocol'], string>> = { gemini: 'google', anthropic: 'anthropic' }

/** A version that is a date belongs to a Claude's name; `default` and `001` of others do not. */
function nameOf(entry: unknown, withPublisher: boolean): readonly string[] {
  const { name, versionId } = fieldsOf(entry)
  const [, publisher, model] = /^publishers\/([^/]+)\/models\/([^/]+)$/.exec(typeof name === 'string' ? name : '') ?? []
  if (publisher === undefined || model === undefined) return []
  const isDated = typeof versionId === 'string' && /^\d{8}$/.test(versionId) && !model.includes('@')
  const whole = isDated ? `${model}@${versionId}` : model
  return [withPublisher ? `${publisher}/${whole}` : whole]
}
