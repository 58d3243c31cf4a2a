<?php
/**
 * Shows a post, given on standard input, as stock phpBB does: with its own BBCodes, before any board has added one.
 * The argument is the folder of a released phpBB. Nothing is installed: what a board keeps in its database is empty here.
 */

error_reporting(E_ALL & ~E_DEPRECATED);
define('IN_PHPBB', true);
$root = $argv[1];
$phpbb_root_path = "$root/";
$phpEx = 'php';
require "$root/vendor/autoload.php";
spl_autoload_register(function (string $class) use ($root) {
    $file = "$root/" . strtr($class, '\\', '/') . '.php';
    if (str_starts_with($class, 'phpbb\\') && is_file($file)) {
        require $file;
    }
});
require "$root/includes/functions.php";

class NewBoard
{
    public function __construct(private string $root) {}

    public function get_styles_templates(): array
    {
        $template = file_get_contents("$this->root/styles/prosilver/template/bbcode.html");
        return [1 => ['template' => $template, 'bbcodes' => []]];
    }

    public function trigger_event(string $name, array $values): array
    {
        return $values;
    }

    /** Return what the board's tables hold of its own: nothing. */
    public function __call(string $name, array $arguments): array
    {
        return [];
    }
}

$config = [
    'allowed_schemes_links' => 'http,https,ftp',
    'force_server_vars' => true,
    'server_protocol' => 'https://',
    'server_name' => 'forum.example',
    'server_port' => 443,
    'script_path' => '/',
    'cookie_secure' => true,
];
$user = (object) ['host' => 'forum.example'];

$class = new ReflectionClass(phpbb\textformatter\s9e\factory::class);
$factory = $class->newInstanceWithoutConstructor();
$link_helper = (new ReflectionClass(phpbb\textformatter\s9e\link_helper::class))->newInstanceWithoutConstructor();
$values = [
    'cache_dir' => sys_get_temp_dir() . '/',
    'config' => $config,
    'data_access' => new NewBoard($root),
    'dispatcher' => new NewBoard($root),
    'link_helper' => $link_helper,
];
foreach ($values as $name => $value) {
    $class->getProperty($name)->setValue($factory, $value);
}
$configurator = $factory->get_configurator();
$configurator->rendering->engine = 'XSLT';
['parser' => $parser, 'renderer' => $renderer] = $configurator->finalize();
$posted = $parser->parse(stream_get_contents(STDIN));
echo $renderer->render($posted);
