import { z } from '@hono/zod-openapi'
import { LOCAL_SERVER_NAMES } from '../core/local-servers.ts'

/** `GET /api/upstreams/local`: the servers of models that answer on the gateway's own machine. */
export const localServers = z
  .object({
    data: z.array(
      z.object({
        server: z.enum(LOCAL_SERVER_NAMES),
        name: z.string().describe('as its makers call it'),
        base_url: z.string(),
        models: z.number().int().describe('how many it lists'),
      }),
    ),
  })
  .openapi('LocalServers')

export type LocalServersView = z.output<typeof localServers>
