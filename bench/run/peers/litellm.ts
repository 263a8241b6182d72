/** LiteLLM's proxy, from PyPI: one worker, one master key, no database, so no keys and no books. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peer } from './peer.ts'
import { runTool } from './run-tool.ts'

/** Installs it into an environment of its own in `directory`. Rejects when Python is missing, or with what pip says. */
export async function installLitellm(directory: string): Promise<Peer> {
  await runTool(['python3', '-m', 'venv', directory])
  const pip = join(directory, 'bin/pip')
  await runTool([pip, 'install', '--quiet', '--disable-pip-version-check', 'litellm[proxy]'])
  const about = await runTool([pip, 'show', 'litellm'])
  return {
    title: `litellm ${/^Version: (\S+)/m.exec(about)?.[1] ?? ''}`.trim(),
    start: async (place) => {
      const config = join(place.directory, 'litellm.yaml')
      // Every JSON text is a YAML text.
      await writeFile(config, JSON.stringify(declare(place.upstreamUrl, place.upstreamCredential)))
      const program = join(directory, 'bin/litellm')
      return {
        command: [
          program,
          '--config',
          config,
          '--host',
          '127.0.0.1',
          '--port',
          String(place.port),
          '--num_workers',
          '1',
        ],
        // Its table of prices is otherwise looked for on the network.
        env: { LITELLM_MASTER_KEY: place.key, LITELLM_LOG: 'ERROR', LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
        authorization: `Bearer ${place.key}`,
        headers: {},
      }
    },
  }
}

function declare(upstreamUrl: string, upstreamCredential: string): object {
  const litellm_params = { model: 'openai/*', api_base: upstreamUrl, api_key: upstreamCredential }
  return { model_list: [{ model_name: '*', litellm_params }], litellm_settings: { telemetry: false } }
}
