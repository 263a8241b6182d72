/** Asks a gateway for a short chat answer in OpenAI's protocol, reads it to its end, and returns the HTTP status. */
export async function chatStatus(origin: string, { key, model }: { key: string; model: string }): Promise<number> {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.text()
  return answer.status
}
