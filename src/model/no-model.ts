/** What to say when no model is configured: five lines, each a way that works. */
export const howToGetAModel = `No model is configured. One of these gets you going:
  benchdog login                                   choose a provider, give a key, pick from its models
  ANTHROPIC_API_KEY=… benchdog --model anthropic/ID    or OPENAI_API_KEY with openai/ID, OPENROUTER_API_KEY with openrouter/ID
  benchdog --model ollama/ID                       a model on this machine (or --base-url URL for any OpenAI-compatible server)
  benchdog tour                                    no model needed: a scripted one with real tools in a throw-away repository`;
