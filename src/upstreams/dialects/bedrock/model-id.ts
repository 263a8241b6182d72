import { Fault } from '../../../core/faults.ts'

/**
 * The id of a model, an inference profile or an ARN as one part of a path. Slashes of ARNs are encoded as well: as separators they
 * lead to an operation that there is not (anthropics/claude-code #297, langfuse/langfuse #15619).
 */
export function encodedId(id: string): string {
  if (/^\.{0,2}$/.test(id))
    throw new Fault('request_invalid', 'The model has no id at its provider that can be asked for.')
  return encodeURIComponent(id).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * The id that tokens are counted for: that of the model itself, since counting takes no inference profile of a geography, of which
 * most models can only be invoked by one (pydantic/pydantic-ai #3367; Boise-State-Development/agentcore-public-stack #430).
 */
export function countedId(id: string): string {
  return GEOGRAPHY.exec(id)?.groups?.['model'] ?? id
}

/** `us.anthropic.claude-…`, or the same at the end of a profile's ARN. */
const GEOGRAPHY = /^(?:arn:[^/]{1,200}:inference-profile\/)?[a-z]{2,6}(?:-gov)?\.(?<model>[a-z0-9]{1,32}\.\S{1,200})$/
