from .api.agents import Agent as Agent
from .api.agents import list_agents as list_agents
from .api.analysis import bench as bench
from .api.analysis import examine as examine
from .api.analysis import report as report
from .api.analysis import study as study
from .api.contests import arena as arena
from .api.contests import benchmark as benchmark
from .api.contests import match as match
from .api.contests import resume_arena as resume_arena
from .api.contests import resume_benchmark as resume_benchmark
from .api.contests import tournament as tournament
from .api.decks import Deck as Deck
from .api.environments import aec_env as aec_env
from .api.environments import make_vec as make_vec
from .api.games import Game as Game
from .api.games import Games as Games
from .api.listing import list_cards as list_cards
from .api.listing import list_configs as list_configs
from .api.listing import list_decks as list_decks
from .api.replays import replay as replay
from .api.run import Run as Run
from .api.run import evolve as evolve
from .api.run import load_config as load_config
from .errors import HsevoError as HsevoError

__version__: str
from .api.listing import config_text as config_text
