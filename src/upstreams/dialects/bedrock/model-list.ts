import { fieldsOf, type JsonObject } from '../../../protocols/json/json-object.ts'
import { awsHostOf } from '../../aws-region.ts'
import type { DialectUpstream, ModelListing } from '../dialect.ts'
import { errorFormOf } from './endpoints.ts'

/** More than any region has profiles, and the most that AWS gives at once. */
const PAGE_SIZE = 1_000

/**
 * Where the models of a region are listed, which is another host than the one that serves them: first those that can be asked for
 * by their own id, then the inference profiles.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html,
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListInferenceProfiles.html
 */
export function modelListOf(of: DialectUpstream): ModelListing {
  const root = controlPlaneOf(of)
  const serves = MAKERS[errorFormOf(of.protocol)]
  const profiles = `${root}/inference-profiles?maxResults=${PAGE_SIZE}`
  return {
    url: `${root}/foundation-models?byOutputModality=TEXT`,
    read(body) {
      const { modelSummaries: models, inferenceProfileSummaries: listed, nextToken } = fieldsOf(body)
      if (Array.isArray(models))
        return { names: models.map(fieldsOf).flatMap(modelName).filter(serves), nextUrl: profiles }
      const names = Array.isArray(listed) ? listed.map(fieldsOf).flatMap(profileName).filter(serves) : []
      const isMore = typeof nextToken === 'string' && nextToken !== ''
      return { names, nextUrl: isMore ? `${profiles}&nextToken=${encodeURIComponent(nextToken)}` : null }
    },
  }
}

/** `https://bedrock.us-east-1.amazonaws.com`; of a host that is none of AWS', the host itself. */
function controlPlaneOf({ baseUrl, region }: DialectUpstream): string {
  const host = awsHostOf(baseUrl)
  return host === null ? new URL(baseUrl).origin : `https://bedrock.${region ?? host.region}.${host.domain}`
}

/** The models that each kind of endpoint serves, as far as their ids say it. A profile of one's own has no maker in its id. */
const MAKERS: Readonly<Record<ReturnType<typeof errorFormOf>, (id: string) => boolean>> = {
  anthropic: (id) => isOf('anthropic', id) || id.startsWith('arn:'),
  openai: (id) => !isOf('anthropic', id) && !id.startsWith('arn:'),
  converse: () => true,
}

function isOf(maker: string, id: string): boolean {
  return id.startsWith(`${maker}.`) || id.includes(`.${maker}.`)
}

/** Others than those on demand are asked for by a profile, or are what other models are trained from. */
function modelName({ modelId, inferenceTypesSupported: types }: JsonObject): readonly string[] {
  return typeof modelId === 'string' && Array.isArray(types) && types.includes('ON_DEMAND') ? [modelId] : []
}

/** A profile of the system has an id that is the same in all accounts; one's own is asked for by its ARN. */
function profileName({
  inferenceProfileId: id,
  inferenceProfileArn: arn,
  status,
  type,
}: JsonObject): readonly string[] {
  if (status !== undefined && status !== 'ACTIVE') return []
  const name = type === 'APPLICATION' ? arn : id
  return typeof name === 'string' ? [name] : []
}
