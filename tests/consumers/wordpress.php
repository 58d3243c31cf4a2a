<?php
/**
 * What WordPress makes of a feed: run by wordpress.py, in a folder of its own, with a command in JSON.
 * The answer is JSON on the last line.
 */

define('WP_USE_THEMES', false);
$command = json_decode($argv[1], true);
if ($command['do'] === 'install') {
    define('WP_INSTALLING', true);
}
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['REQUEST_URI'] = '/';
require getcwd() . '/wp-load.php';

// The feed is served by this machine, which WordPress refuses in production.
add_filter('http_request_host_is_external', '__return_true');
add_filter('http_allowed_safe_ports', fn ($ports) => [...$ports, $command['port'] ?? 0]);
// Feeds are kept for a minute or half a day.
$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE '_transient%feed_%'");
wp_cache_flush();

function install(): array
{
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    add_filter('pre_wp_mail', '__return_true');
    wp_install('Blog', 'admin', 'admin@blog.example', true, '', 'a-password-for-nothing');
    return [];
}

function show_block(array $command): array
{
    $settings = json_encode([
        'feedURL' => $command['url'],
        'itemsToShow' => $command['items'],
        'displayExcerpt' => true,
        'displayDate' => true,
    ], JSON_UNESCAPED_SLASHES);
    return ['html' => do_blocks("<!-- wp:rss $settings /-->")];
}

function post(array $command): array
{
    update_option('home', $command['url']);
    update_option('siteurl', $command['url']);
    // Only some may paste scripts.
    wp_set_current_user($command['user']);
    kses_init();
    $block = "<!-- wp:html -->\n{$command['html']}\n<!-- /wp:html -->";
    $post = ['post_title' => 'Programmet', 'post_content' => wp_slash($block), 'post_status' => 'publish'];
    return ['path' => '/?p=' . wp_insert_post($post)];
}

$answer = match ($command['do']) {
    'install' => install(),
    'block' => show_block($command),
    'post' => post($command),
};
echo "\n", json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
