/** What a chat model can take beside text, as far as its name tells. */
export interface ModelAbilities {
  readonly seesPictures: boolean
  readonly callsTools: boolean
}

/**
 * Nothing else that is known of a model says it, so the families are read as their makers name them (the lists in
 * test/fixtures/model-lists, November 2026). A name that tells nothing is taken for a model of today: it calls tools, and it
 * is not said to see, since a client that sends no pictures works with every model.
 */
export function abilitiesByName(name: string): ModelAbilities {
  const plain = name.toLowerCase()
  return { seesPictures: SEES.some((pattern) => pattern.test(plain)), callsTools: !NO_TOOLS.test(plain) }
}

const SEES: readonly RegExp[] = [
  // Words that say it.
  /(?:^|[^a-z])(?:vision|visual|vl|vlm|omni|multimodal|llava|pixtral|internvl\d*|minicpm-v|molmo|qvq)(?=$|[^a-z])/,
  /claude-(?!instant|v?[12](?:$|\D))/,
  /(?:^|[^a-z0-9])(?:chat)?gpt-(?:4o(?!-(?:audio|realtime|search))|4\.1|4\.5|4-turbo|5|6)/,
  /(?:^|[^a-z0-9])(?:o1(?!-(?:mini|preview))|o3(?!-mini)|o4)(?=$|[^a-z0-9])/,
  /gemini-(?!1\.0|embedding)/,
  /gemma-?[34](?!-?(?:1b|270m))/,
  /llama-?4|llama-?3[.-]2-(?:11|90)b/,
  /grok-[4-9]/,
  /glm-[\d.]+v/,
  /kimi-(?:latest|k2\.[5-9])/,
  /nova-(?:lite|pro|premier)/,
  /mistral-(?:medium|small)-(?:3|latest|25)/,
  /seed-[12]\.[0-9]/,
]

const NO_TOOLS =
  /claude-(?:instant|v?[12](?:$|\D))|gpt-3\.5-turbo-instruct|gpt-4-vision|o1-(?:mini|preview)|chatgpt-4o-latest|-search-preview|(?:^|[^a-z])sonar|llava|gemma-?2|(?:^|[^a-z])phi-?[123]|-base(?=$|[^a-z])|-math/
