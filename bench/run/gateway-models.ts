/** The gateway's models in the bench, and what each of them is at the fake upstream: it has a name to change in each body. */

/** What the fake upstream answers is in the name: see `tools/fake-upstream/model-name.ts`. */
export const ANSWERS = {
  fixed: 'fake/fixed',
  stream: 'fake/fixed?chunks=100',
  paced: 'fake/fixed?chunks=100&delay_ms=50&stamped=1',
} as const

type AnswerName = keyof typeof ANSWERS

/** The fake upstream by each protocol that the gateway may take it for, with the path of its base URL. */
export const UPSTREAM_PATHS = { openai: '/v1', anthropic: '/v1', gemini: '/v1beta' } as const

export type UpstreamProtocol = keyof typeof UPSTREAM_PATHS

export type GatewayModel = `bench-${UpstreamProtocol}-${AnswerName}`

export function gatewayModel(protocol: UpstreamProtocol, answer: AnswerName): GatewayModel {
  return `bench-${protocol}-${answer}`
}

/** All of them, as the gateway's declarative file wants them but for prices and limits. */
export function gatewayModels(): readonly { name: GatewayModel; target: { upstream: string; model: string } }[] {
  const protocols = Object.keys(UPSTREAM_PATHS) as UpstreamProtocol[]
  const answers = Object.keys(ANSWERS) as AnswerName[]
  return protocols.flatMap((protocol) =>
    answers.map((answer) => ({
      name: gatewayModel(protocol, answer),
      target: { upstream: protocol, model: ANSWERS[answer] },
    })),
  )
}
