/** What the clouds call the models that new-api and one-api know under the makers' names. */

/** Models that new-api asks by an inference profile in the United States alone (`relay/channel/aws/constants.go`). */
const US_ALONE = /^claude-(?:3-opus|3-5-haiku|opus-4-2025|opus-4-1-)|^nova-(?:premier|reel-v1:1)/
/** Models that it asks by their own id in Europe. */
const NOT_IN_EUROPE = /^claude-3-5-sonnet-20241022/
/** Geographies of inference profiles, by what regions begin with. */
const PROFILES: Readonly<Record<string, string>> = { us: 'us', eu: 'eu', ap: 'apac' }

/** Names of Claude with the day of the version. */
const DATED = /^(claude-[a-z0-9-]{3,40})-(\d{8})$/

/** The id of a model at Bedrock as the product asks for it in a region. Other names go on as they are. */
export function bedrockModel(name: string, { region, hasProfiles }: { region: string; hasProfiles: boolean }): string {
  const id = bedrockId(name)
  if (id === name || !hasProfiles) return id
  const [area = ''] = region.split('-')
  const profile = PROFILES[area]
  const isAsked =
    profile !== undefined &&
    (area === 'us' || !US_ALONE.test(name)) &&
    (area !== 'eu' || !NOT_IN_EUROPE.test(name)) &&
    (area !== 'ap' || !name.startsWith('nova-'))
  return isAsked ? `${profile}.${id}` : id
}

function bedrockId(name: string): string {
  if (/^nova-[a-z]{2,10}-v\d:\d$/.test(name)) return `amazon.${name}`
  if (DATED.test(name)) return `anthropic.${name}-${name === 'claude-3-5-sonnet-20241022' ? 'v2' : 'v1'}:0`
  if (name === 'claude-opus-4-6') return `anthropic.${name}-v1`
  return /^claude-(?:opus|sonnet|haiku|fable)-\d(?:-\d)?$/.test(name) ? `anthropic.${name}` : name
}

/** The name of a model at Vertex AI as new-api asks for it (`relay/channel/vertex/adaptor.go`). */
export function vertexModel(name: string): string {
  const [, family, day] = DATED.exec(name) ?? []
  if (family === undefined || day === undefined) return name
  return `${family}${name === 'claude-3-5-sonnet-20241022' ? '-v2' : ''}@${day}`
}
