"""The clients that the collector is measured against, each in an environment of its own."""

from pathlib import Path

from benchmarks.common.environments import Peer

_HERE = Path(__file__).resolve().parent

ALL_PEERS = (
    Peer(_HERE, "openai_semaphore", "openai SDK 3.57 + Semaphore(200)"),
    Peer(_HERE, "openai_aiolimiter", "openai SDK 3.57 + aiolimiter(200, 1)"),
    Peer(_HERE, "httpx_tenacity", "httpx 0.28 + aiolimiter, tenacity inside the slot"),
    Peer(_HERE, "async_batch_llm_peer", "async-batch-llm 0.28 (12,000 rpm, burst 1 s)"),
    Peer(_HERE, "flexllm_peer", "flexllm 0.17.10 (max_qps 200)"),
    Peer(_HERE, "curator", "bespokelabs-curator 0.1.31 (12,000 rpm)"),
)
