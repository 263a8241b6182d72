/** Whether an admin may have a client's header of this name, in lower case, go on. */
export function mayGoOn(name: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]{1,64}$/.test(name) && !ENDS_HERE.test(name)
}

/** Never on any list: the connection's own, credentials, and where the client is. */
const ENDS_HERE =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-(?:length|encoding|type)|accept-encoding|authorization|(?:x-|x-goog-)?api-key|cookie2?|set-cookie|origin|referer|forwarded|via|http2-settings|x-(?:forwarded|tollgate)-.*|(?:proxy|sec|cf)-.*|x-real-ip|x-request-id)$/
