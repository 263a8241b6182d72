/** The vendor whose keys look like this one, for the sentence "this is a key of …"; null when none is known. */
export function resembles(text: string): string | null {
  return VENDORS.find(([form]) => form.test(text))?.[1] ?? null
}

/** Prefixes that the vendors document for their keys, the longer before the shorter. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^sk-ant-/, 'Anthropic'],
  [/^sk-(?:proj|svcacct|admin|None)-|^sess-/, 'OpenAI'],
  [/^sk-or-/, 'OpenRouter'],
  [/^AIza|^ya29\./, 'Google'],
  [/^gsk_/, 'Groq'],
  [/^xai-/, 'xAI'],
  [/^hf_/, 'Hugging Face'],
  [/^pplx-/, 'Perplexity'],
  [/^nvapi-/, 'NVIDIA'],
  [/^r8_/, 'Replicate'],
  [/^fw_/, 'Fireworks'],
  [/^csk-/, 'Cerebras'],
  [/^tgp_v1_/, 'Together'],
  [/^vck_/, 'Vercel'],
  [/^gh[opusr]_|^github_pat_/, 'GitHub'],
  [/^A(?:KIA|SIA|BSK)/, 'Amazon'],
  [/^sk-(?!tg-)[A-Za-z0-9]{20,}$/, 'OpenAI, DeepSeek or another provider'],
]
