import type { JsonObject } from '../../../protocols/json/json-object.ts'
import type { UpstreamHandler, UpstreamRequest } from '../../upstream-client.ts'
import type { Dialect, DialectUpstream } from '../dialect.ts'
import { BedrockAnswer } from './bedrock-answer.ts'
import { Betas, refusesBetas } from './betas.ts'
import { ConverseStream } from './converse-stream.ts'
import { endpointOf, errorFormOf } from './endpoints.ts'
import type { FrameWriter } from './frame-writer.ts'
import { invocation } from './invoke-request.ts'
import { InvokeStream } from './invoke-stream.ts'
import { fieldsOfJson } from './json-fields.ts'
import { modelListOf } from './model-list.ts'

/**
 * Amazon Bedrock. Anthropic's models are invoked by paths of its own, and answer in Anthropic's words within its binary event
 * streams; OpenAI's APIs are served as they are. What AWS itself refuses is heard in the words of the wire's own provider.
 */
export function bedrock(of: DialectUpstream): Dialect {
  const { kind, prefix } = endpointOf(of)
  const form = errorFormOf(of.protocol)
  const betas = new Betas()
  const invokes = (request: UpstreamRequest) => kind === 'invoke' && request.asks !== undefined
  const outbound = (request: UpstreamRequest): UpstreamRequest => {
    const { model, form: asked = 'whole' } = request.asks ?? {}
    if (invokes(request)) return invocation(request, { model: model ?? '', form: asked, betas })
    return prefix === '' ? request : { ...request, path: prefix + request.path }
  }
  return {
    outbound,
    again(request, refusal) {
      if (!invokes(request) || !refusesBetas(fieldsOfJson(refusal)['message'])) return null
      // Of several requests at once the first has noted it for all; each goes out once more.
      return betas.refuse(request.asks?.model ?? '', request.headers['anthropic-beta']) ? outbound(request) : null
    },
    inbound(request, handler): UpstreamHandler {
      const isCount = invokes(request) && request.asks?.form === 'count_tokens'
      const rewrite = isCount ? countedTokens : null
      return new BedrockAnswer(handler, { form, rewrite, writer: writerFor(request, invokes(request)) })
    },
    list: modelListOf(of),
  }
}

/** What writes the frames of an answer; null: it comes whole, or as server-sent events. */
function writerFor({ path, asks }: UpstreamRequest, isInvoked: boolean): FrameWriter | null {
  if (asks?.form !== 'stream') return null
  if (isInvoked) return new InvokeStream()
  return CONVERSE.test(path) ? new ConverseStream() : null
}

const CONVERSE = /^\/model\/[^/]+\/converse-stream$/

/** AWS' count of tokens, as Anthropic writes one. */
function countedTokens({ inputTokens }: JsonObject): object {
  return { input_tokens: inputTokens }
}
