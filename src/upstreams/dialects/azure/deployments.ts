import { fieldsOf, listOf } from '../../../protocols/json/json-object.ts'
import type { AzureApi } from '../../../routing/cloud-base-url.ts'
import type { ModelListing } from '../dialect.ts'

/**
 * The last version of the API that lists deployments to a key or a token of the resource, and still does so in August 2026:
 * langflow-ai/langflow#14509 and hugalafutro/model-hotel#506. `/openai/v1/models` lists all that Azure has, several hundred of
 * which nearly none is deployed; the lists of Resource Manager take a token of their own.
 */
const LISTING = '/openai/deployments?api-version=2023-03-15-preview'
const MADE_BY_ANTHROPIC = /^claude/i

/** Where the deployments of a resource are listed, of which those that the API serves are read: one resource has all makers'. */
export function deploymentsOf(api: AzureApi, baseUrl: string): ModelListing {
  const isOwn = ({ model }: Listed) =>
    typeof model !== 'string' || MADE_BY_ANTHROPIC.test(model) === (api === '/anthropic')
  return {
    url: `${rootOf(baseUrl)}${LISTING}`,
    // It is an endpoint of Azure OpenAI, also for those whose deployments are Claude's.
    askedAs: 'openai',
    read(body) {
      const listed = listOf(fieldsOf(body)['data']).flatMap(listedIn)
      return { names: listed.filter(isOwn).map(({ id }) => id), nextUrl: null }
    },
  }
}

interface Listed {
  readonly id: string
  /** What is deployed. */
  readonly model?: unknown
}

/** An entry that can be asked for: one that is being made or has failed has another status. */
function listedIn(entry: unknown): readonly Listed[] {
  const { id, model, status } = fieldsOf(entry)
  if (typeof id !== 'string' || (typeof status === 'string' && status !== 'succeeded')) return []
  return [{ id, model }]
}

/** What stands before the paths of the APIs: the host, or what a reverse proxy in front of it has before them. */
function rootOf(baseUrl: string): string {
  return baseUrl.replace(/(?:\/api\/projects\/[^/]+)?\/(?:openai(?:\/v1)?|anthropic\/v1|models)$/, '')
}
