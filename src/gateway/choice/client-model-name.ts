/** Shorter names of models may be words of the sentence. */
const SHORTEST_CHARACTERS = 4

/**
 * An upstream's words with the client's name of the model in the place of the upstream's, with or without the version that
 * the upstream appends: which model serves a name is the admin's affair, and the client has never heard of the other.
 */
export function withClientsModelName(message: string, names: { upstream: string; client: string }): string {
  const { upstream, client } = names
  if (upstream === client || upstream.length < SHORTEST_CHARACTERS) return message
  const pattern = new RegExp(`(?<![\\w-])${RegExp.escape(upstream)}(?:[-@:.]\\w+)*(?!\\w)`, 'gi')
  return message.replace(pattern, () => client)
}
