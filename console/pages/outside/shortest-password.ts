/** Until the server's own rule is known. */
export const SHORTEST_PASSWORD = 8
